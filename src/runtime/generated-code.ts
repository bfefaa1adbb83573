/**
 * Compiles an expression's text, in which `given` are known by their names. The text is ours: of what comes from outside
 * (a deployer's names of fields, a client's aliases) it holds nothing but `literal`s. Fastify compiles its routes in the
 * same way, so no process that serves is forbidden it.
 */
export function compileCode(text: string, given: Readonly<Record<string, unknown>>): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval, eslint/no-new-func -- what this file is for
  return new Function(...Object.keys(given), `'use strict'; return ${text};`)(...Object.values(given));
}

/** Any text as a literal of the language. */
export const literal = (text: string): string => JSON.stringify(text);
