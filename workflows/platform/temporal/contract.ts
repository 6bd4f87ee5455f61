/**
 * Ids of workflows as Temporal has them: `<company's short name>/<kind>/<short id>`, which fits the list of its UI. Everywhere else they
 * are `<tenant>/<kind>/<what>`, as the contracts make them; clients and workflows translate them on their way to Temporal (decision 0296).
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** The company at the beginning of an id, as the contracts make it. */
const TENANT = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/([^/]+)\/(.+)$/;
/** 80 bits: of a thousand million ids of a company and a kind, two are the same with a probability of one in two million. */
const SHORT_ID = 16;
/** Digits and lower-case letters without those that look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id as a contract makes it, in its parts. */
export interface WorkflowIdParts {
  readonly tenantId: string;
  readonly kind: string;
  readonly rest: string;
}

/** Takes an id apart; null if no contract made it for a company. */
export function workflowIdParts(id: string): WorkflowIdParts | null {
  const [, tenantId, kind, rest] = TENANT.exec(id) ?? [];
  return tenantId === undefined || kind === undefined || rest === undefined ? null : { tenantId, kind, rest };
}

/**
 * The id in Temporal. @param shortName the company's; null leaves the id as it is: a company of version 1.0.0 has workflows with such ids
 */
export function readableId(id: string, shortName: string | null): string {
  const parts = workflowIdParts(id);
  if (parts === null || shortName === null) return id;
  return `${shortName}/${parts.kind}/${shortId(parts.rest)}`;
}

function shortId(rest: string): string {
  const hash = sha256(utf8ToBytes(rest)).subarray(0, SHORT_ID);
  return Array.from(hash, (byte) => ALPHABET[byte & 31]).join('');
}
