/** Several requests in one transaction: `POST /api/transactions`. */
import pMap from 'p-map';
import type { ApiClient, Json } from './api-client.ts';
import { chunks, WIDTH } from './concurrently.ts';

export interface Operation {
  /** Identifies the operation's answer for later operations: `{"$ref": "<id>.data.id"}`. */
  readonly id: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: Json;
}

/** Maximum operations per request. */
const OPERATION_LIMIT = 100;

/**
 * Runs the operations in order, all or none.
 * @param key idempotency key, with which repeating a request has no effect even if its answer was lost
 * @returns `data` of each answer, by the operation's id
 * @throws ApiProblem of the first refused operation; then nothing is done
 */
export async function transact(
  client: ApiClient,
  operations: readonly Operation[],
  key: string,
): Promise<ReadonlyMap<string, Json>> {
  const { operations: done } = await client.create<{ operations: { id: string; body: { data: Json } }[] }>(
    '/api/transactions',
    { operations },
    key,
  );
  return new Map(done.map(({ id, body }) => [id, body.data]));
}

/**
 * Creates many records of one kind, a hundred per request.
 * @param toName returns a unique name, so that a repeat after a lost answer creates nothing twice
 * @returns the created records, in the order of the bodies
 */
export async function createMany<T extends Json>(
  client: ApiClient,
  path: string,
  bodies: readonly T[],
  toName: (body: T) => string,
): Promise<Json[]> {
  const made = await pMap(
    chunks(bodies, OPERATION_LIMIT),
    async (part) => {
      const operations = part.map((body, index) => ({ id: `r${index}`, method: 'POST' as const, path, body }));
      const key = `demo${path.replaceAll('/', '-')}-from-${toName(part[0] as T)}`;
      return [...(await transact(client, operations, key)).values()];
    },
    { concurrency: WIDTH },
  );
  return made.flat();
}

/** Refers to a member of an earlier answer's `data`, for example `refer('so', 'lines.0.id')`. */
export function refer(operation: string, member: string): Json {
  return { $ref: `${operation}.data.${member}` };
}
