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
  return ApolloServerPluginLandingPageLocalDefault({
    embed: { runTelemetry: false },
    footer: false,
    includeCookies: false,
    ...(start === undefined ? {} : { document: start.document, headers: { ...start.headers } }),
  });
}
