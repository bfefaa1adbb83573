import { isRecord } from '../../upstream/index.ts';
export type Json = Readonly<Record<string, unknown>>;

/** An API as a vendor's file describes it, in one shape for OpenAPI, Swagger and Postman. */
export interface ApiFile {
  readonly format: 'OpenAPI' | 'Swagger' | 'Postman';
  readonly endpoints: readonly Endpoint[];
}

export interface Endpoint {
  /** The JSON pointer of the endpoint in the file. */
  readonly place: string;
  /** In upper case. */
  readonly method: string;
  /** Below the server's path, each parameter as `{name}`. */
  readonly path: string;
  /** Origin of its server, or the variable that stands for it; empty where the file names none. */
  readonly host: string;
  /** The paths of its servers, the one that is used first; none where the file leaves them open. */
  readonly bases: readonly string[];
  /** Its identifier and title. */
  readonly names: readonly string[];
  readonly query: readonly Parameter[];
  readonly headers: readonly Parameter[];
  /** Headers of the credentials that the file describes as such. */
  readonly security: readonly string[];
  // Read only for endpoints that are asked about: a file may have thousands.
  readonly body: () => RequestBody | undefined;
  readonly answers: () => readonly Answer[];
}

export interface Parameter {
  readonly name: string;
  readonly isRequired?: boolean;
  /** Its least value, its default or its sample is 0. */
  readonly isFromZero?: boolean;
  readonly greatest?: number | undefined;
}

/** A request body: a sample, and by JSON pointers into it what a schema says besides. */
export interface RequestBody {
  readonly sample: unknown;
  readonly required: readonly string[];
  /** Required members for which the schema allows one value only, with that value. */
  readonly constants: Json;
  /** Without its parameters; undefined where the file does not say. */
  readonly mediaType: string | undefined;
}

/** An answer, whose body is undefined where the file shows none. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Records what was not understood, by its place in the file. */
export type Note = (place: string, why: string) => void;

/** Longer texts are not read as names or addresses: matching them takes time by the square of their length. */
const maxTextLength = 500;
/** Stands for a variable without quotes around it: a value of any type. */
export const openText = '{{}}';

export function membersOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text of the file; undefined for anything else, and where it is too long to be read. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxTextLength ? value : undefined;
}

/** The words of a name in small letters, of `listCustomers` as of `list-customers`. */
export function wordsOf(name: string): readonly string[] {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.split(/[^a-z]+/).filter((word) => word !== '');
}
