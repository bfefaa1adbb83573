import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// `demo-key` is the embedded bank's, and public. A real one comes from the environment, under a name without VITE_.
const privateKey = process.env.PRIVATE_KEY ?? 'demo-key';

export default defineConfig({
  plugins: [react()],
  server: {
    proxy: {
      '/api/graphql': {
        target: 'http://127.0.0.1:4000',
        rewrite: () => '/graphql',
        headers: { SVCPRIVATEKEY: privateKey },
      },
    },
  },
});
