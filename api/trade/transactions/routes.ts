/** Runs several operations in one transaction, all or none. */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { invalidMember, type ServiceError } from '../../../domain/errors.ts';
import { pauses } from '../../../services/platform/threads/pauses.ts';
import { choice, integer, text } from '../../../services/platform/validation/schemas.ts';
import { operationCodes } from '../../openapi/problems.ts';
import { defineRoute, type Route } from '../../route.ts';
import { operationRunner } from './operations.ts';
import { REFERENCE_LIMITS, References } from './references.ts';

const MAX_OPERATIONS = 100;
/**
 * Maximum bytes of all answers of a transaction: a short path can read a large document, again and again. A sale from its order to its
 * posted invoice fits with the most lines, and with the members that lines will get.
 */
export const MAX_ANSWERS = 8 * 1024 * 1024;

const Operation = Type.Object({
  id: Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$',
    description: 'Names the operation in references and in the answer; unique in the transaction',
  }),
  method: choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: text({
    max: 2000,
    description: 'Path with the query string, if any; may contain references such as {so.data.id}',
  }),
  body: Type.Optional(
    Type.Unknown({
      description:
        'Body for the path; {"$ref": "so.data.id"} refers to a member of an earlier response. All references of a ' +
        `transaction may stand for at most ${REFERENCE_LIMITS.members} members and ${REFERENCE_LIMITS.characters} characters`,
    }),
  ),
});

/** Builds the route for transactions. @param routes available to operations */
export function transactionRoutes(routes: readonly Route[]): Route[] {
  const runOperation = operationRunner(routes);
  return [
    defineRoute({
      method: 'POST',
      path: '/api/transactions',
      id: 'runTransaction',
      summary: 'Run several operations, all or none',
      problems: [...new Set(routes.flatMap(operationCodes)), 'not_found', 'method_not_allowed'],
      description:
        'Runs the operations in order in one database transaction. The first refusal rolls everything back; the response is its problem ' +
        'with the `operation` id, and pointers into that operation’s body. Events are sent after the commit. The answers may have ' +
        `${MAX_ANSWERS} bytes in all; the first operation whose answer does not fit is refused with \`too_large\` at \`/path\`.`,
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
                  description: 'The response body of the operation, as outside a transaction; null if it has none',
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
        const references = new References();
        const done: { id: string; status: number; body: unknown }[] = [];
        const pause = pauses();
        let bytesLeft = MAX_ANSWERS;
        for (const operation of operations) {
          await pause();
          const { status, body = null } = await runOperation(request, operation, references);
          // Answers of a thousand lines take as long as what is done for them.
          await pause();
          // References see the JSON value that clients see.
          const json = JSON.stringify(body);
          bytesLeft -= Buffer.byteLength(json);
          if (bytesLeft < 0) throw answersTooLarge().ofOperation(operation.id);
          const shown: unknown = JSON.parse(json);
          references.add(operation.id, shown);
          done.push({ id: operation.id, status, body: shown });
        }
        return { status: 200, body: { data: { operations: done } } };
      },
    }),
  ];
}

function answersTooLarge(): ServiceError {
  return invalidMember(
    '/path',
    'too_large',
    `cannot be answered because the answers of a transaction may have at most ${MAX_ANSWERS} bytes in all; ` +
      'read large records on their own',
  );
}

/**
 * Waits for the turn of the company: transactions with several operations run one at a time. Each operation takes its
 * locks in the fixed order, but two operations in one transaction may take locks in opposite orders.
 */
async function takeTurn(
  db: Db,
  { tenantId }: Context,
  operations: readonly { readonly method: string }[],
): Promise<void> {
  if (operations.filter(({ method }) => method !== 'GET').length < 2) return;
  await lockName(db, `transactions:${tenantId}`);
}

function assertUniqueIds(operations: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of operations.entries()) {
    if (seen.has(id)) throw invalidMember(`/operations/${index}/id`, 'duplicate', 'is the id of an earlier operation');
    seen.add(id);
  }
}
