import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';

/** The document and headers with which Sandbox opens. */
export interface SandboxStart {
  readonly document: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Apollo Sandbox at the gateway's address; no landing page where it is off. */
export function sandboxPlugin(isOn: boolean, start: SandboxStart | undefined): ApolloServerPlugin {
  if (!isOn) return ApolloServerPluginLandingPageDisabled();
  return withExplorerFallback(
    ApolloServerPluginLandingPageLocalDefault({
      embed: { runTelemetry: false },
      footer: false,
      includeCookies: false,
      ...(start === undefined ? {} : { document: start.document, headers: { ...start.headers } }),
    }),
  );
}

/**
 * Adds a script of our own, which goes on to the explorer where Sandbox' script does not come. It stands before everything
 * else in the page, since a script behind a style sheet waits for it.
 */
function withExplorerFallback(sandbox: ApolloServerPlugin): ApolloServerPlugin {
  return {
    serverWillStart: async (service) => {
      const listener = (await sandbox.serverWillStart?.(service)) ?? {};
      return {
        ...listener,
        renderLandingPage: async () => {
          const { html } = (await listener.renderLandingPage?.()) ?? { html: '' };
          const page = typeof html === 'string' ? html : await html();
          return { html: page.replace('<head>', '<head><script src="/explorer/assets/to-explorer.js"></script>') };
        },
      };
    },
  };
}
