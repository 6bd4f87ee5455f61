/** The compose file as its readers see it: anchors resolved, variables found. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly target: string };
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly restart: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly replicas?: number };
  readonly mem_limit?: string;
}

/** A `${NAME}` of the file: with a default, or required with a message. */
export interface ComposeVariable {
  readonly name: string;
  readonly operator: string;
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const composeText = readFileSync(`${ROOT}docker-compose.temporal.yml`, 'utf8');
/** The file as data, YAML merge keys applied. */
export const composeFile = load(composeText, { schema: CORE_SCHEMA.withTags(mergeTag) }) as {
  readonly name: string;
  readonly services: Record<string, ComposeService>;
};
export const services: Readonly<Record<string, ComposeService>> = composeFile.services;

/** Runs to its end instead of staying up. */
export function isOneShot(service: ComposeService): boolean {
  return service.restart.startsWith('on-failure');
}

/** The variables in a text, `$$` aside. */
export function composeVariables(text: string): ComposeVariable[] {
  return [...text.matchAll(/(?<!\$)\$\{?([A-Za-z_][A-Za-z0-9_]*)(:?[-?+])?/g)].map(([, name, operator]) => ({
    name: name ?? '',
    operator: operator ?? '',
  }));
}
