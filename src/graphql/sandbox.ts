import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';

/** What Sandbox starts with: a document that answers and the headers it needs. */
export interface SandboxStart {
  readonly document: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Apollo Sandbox on the gateway's own address; nothing where it is switched off. */
export function sandboxPlugin(isOn: boolean, start: SandboxStart | undefined): ApolloServerPlugin {
  if (!isOn) return ApolloServerPluginLandingPageDisabled();
  return ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false },
    footer: false,
    includeCookies: false,
    ...(start === undefined ? {} : { document: start.document, headers: { ...start.headers } }),
  });
}
