/** Parsers of single environment variables. Each adds to `problems` instead of throwing, so that all are reported together. */
import { serverUrls } from './database-urls.ts';

export type Problems = string[];
type Env = Record<string, string | undefined>;

/** Returns the trimmed text of a variable; undefined if it is absent or empty. */
export function text(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** Parses a comma-separated list, without empty entries. */
export function list(env: Env, name: string): string[] {
  return (text(env, name) ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Parses a whole number within bounds. */
export function integer(
  env: Env,
  name: string,
  bounds: { default: number; min: number; max: number },
  problems: Problems,
): number {
  const value = text(env, name);
  if (value === undefined) return bounds.default;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= bounds.min && number <= bounds.max) return number;
  problems.push(`${name} is "${value}": give a whole number from ${bounds.min} to ${bounds.max}`);
  return bounds.default;
}

/** Parses one of the allowed words. */
export function choice(
  env: Env,
  name: string,
  allowed: readonly string[],
  fallback: string,
  problems: Problems,
): string {
  const value = text(env, name);
  if (value === undefined) return fallback;
  if (allowed.includes(value)) return value;
  problems.push(`${name} is "${value}": give one of ${allowed.join(', ')}`);
  return fallback;
}

/** Parses an address with one of the allowed schemes; several hosts may stand in it. */
export function url(env: Env, name: string, schemes: readonly string[], problems: Problems): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const isValid = (one: string) => URL.canParse(one) && schemes.includes(new URL(one).protocol);
  if (serverUrls(value).every(isValid)) return value;
  // The value may contain a password, so it is not repeated.
  problems.push(`${name} is not a valid address: give ${schemes[0]}//user:password@host:port/database`);
  return value;
}

/** Parses an id of the service. */
export function uuid(env: Env, name: string, problems: Problems): string | undefined {
  const value = text(env, name)?.toLowerCase();
  if (value === undefined || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return value;
  problems.push(`${name} is "${value}": give an id such as 018f3c9e-5a7b-7c3d-9e1f-2a3b4c5d6e7f`);
  return undefined;
}
