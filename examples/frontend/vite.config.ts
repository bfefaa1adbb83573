import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** What the built page may do: load and call its own origin, nothing else. Set the same where you serve it from. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export default defineConfig({
  plugins: [react()],
  // The kit is linked here, and would bring the React of its own folder.
  resolve: { dedupe: ['react'] },
  preview: { headers, cors: false },
});
