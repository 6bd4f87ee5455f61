/** Several changes in one transaction, all or none. */
import { Type } from 'typebox';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { invalidMember } from '../../domain/errors.ts';
import { choice, integer, text } from '../../services/validation/schemas.ts';
import { codesOf } from '../openapi/problems.ts';
import { defineRoute, type Route } from '../route.ts';
import { operationRunner } from './operations.ts';

const MAX_OPERATIONS = 100;

const Operation = Type.Object({
  id: Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$',
    description: 'Names the operation in references and in the answer; unique in the transaction',
  }),
  method: choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: text({ max: 2000, description: 'With the query string, if any; may contain references such as {so.data.id}' }),
  body: Type.Optional(
    Type.Unknown({
      description: 'As the path accepts it; {"$ref": "so.data.id"} refers to a member of an earlier answer',
    }),
  ),
});

/**
 * The route of transactions over the given routes.
 * @param routes that operations may name
 */
export function transactionRoutes(routes: readonly Route[]): Route[] {
  const runOperation = operationRunner(routes);
  return [
    defineRoute({
      method: 'POST',
      path: '/api/transactions',
      id: 'runTransaction',
      summary: 'Run several operations, all or none',
      problems: [...new Set(routes.flatMap(codesOf)), 'not_found', 'method_not_allowed'],
      description:
        'Runs the operations in order in one database transaction. The first refusal undoes all; the answer is its problem with its ' +
        '`operation` id, and pointers into that operation’s body. Events are sent after the commit.',
      tag: 'Transactions',
      access: 'member',
      body: Type.Object({ operations: Type.Array(Operation, { minItems: 1, maxItems: MAX_OPERATIONS }) }),
      responses: {
        200: Type.Object({
          data: Type.Object({
            operations: Type.Array(
              Type.Object({
                id: Type.String(),
                status: integer(),
                body: Type.Unknown({
                  description: 'The answer of the operation, as without the transaction; null without a body',
                }),
              }),
            ),
          }),
        }),
      },
      async handler(request) {
        const { operations } = request.body;
        assertUniqueIds(operations);
        await takeTurn(request.db, request.ctx, operations);
        const answers = new Map<string, unknown>();
        const done: { id: string; status: number; body: unknown }[] = [];
        for (const operation of operations) {
          const { status, body = null } = await runOperation(request, operation, answers);
          // References see what clients see: a JSON value.
          const shown: unknown = JSON.parse(JSON.stringify(body));
          answers.set(operation.id, shown);
          done.push({ id: operation.id, status, body: shown });
        }
        return { status: 200, body: { data: { operations: done } } };
      },
    }),
  ];
}

/**
 * Transactions with several operations run one at a time per company: each operation takes its locks in the fixed order, but two of them
 * together may take locks in opposite orders.
 */
async function takeTurn(
  db: Db,
  { tenantId }: Context,
  operations: readonly { readonly method: string }[],
): Promise<void> {
  if (operations.filter(({ method }) => method !== 'GET').length < 2) return;
  await db.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`transactions:${tenantId}`]);
}

function assertUniqueIds(operations: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of operations.entries()) {
    if (seen.has(id)) throw invalidMember(`/operations/${index}/id`, 'duplicate', 'is the id of an earlier operation');
    seen.add(id);
  }
}
