/**
 * Previews of acts (decision 0212): the route's handler runs in a transaction that is rolled back, and the answer shows what it wrote. So a
 * preview and the act cannot differ.
 */
import type { RecordedChange } from '../../db/changes/description.ts';
import type { Db } from '../../db/database.ts';
import { isNews } from '../../domain/platform/internal-events.ts';
import { readEntries } from '../../services/ledger/accounting/read.ts';
import { readMovements } from '../../services/trade/stock/read-movements.ts';
import type { PreviewedWork, Route, RouteResponse } from '../route.ts';

/** Adds previews to those routes that change something in one transaction. */
export function withPreviews(routes: readonly Route[]): Route[] {
  return routes.map((route) => {
    const inOneTransaction = route.method !== 'GET' && route.transaction !== 'none' && route.upload === undefined;
    const isTask = Object.keys(route.responses).every((status) => status === '202');
    return inOneTransaction && (!isTask || route.previewWork !== undefined) ? { ...route, previews: true } : route;
  });
}

interface Reader {
  readonly permissions: ReadonlySet<string>;
}

/**
 * Runs a route's work and describes it. Must be called in a preview's transaction, whose writes the answer reads.
 * @param work the handler
 * @param recorded the changes written so far
 */
export async function previewAnswer(
  trx: Db,
  reader: Reader,
  work: () => Promise<{ readonly answer: RouteResponse; readonly part: PreviewedWork | undefined }>,
  recorded: () => readonly RecordedChange[],
): Promise<RouteResponse> {
  const { answer, part } = await work();
  const { document, complete } = part ?? { document: recordIn(answer.body), complete: true };
  const changes = recorded();
  const [entries, moves] = await Promise.all([
    reader.permissions.has('journal_entries:read') ? readEntries(trx, entryIds(changes)) : null,
    reader.permissions.has('stock:read') ? readMovements(trx, movementIds(changes)) : null,
  ]);
  const shown = { document, entries, stock_moves: moves, events: news(changes), warnings: warningsIn(document) };
  const taken = changes.flatMap(({ code }) => code ?? []);
  const { Warning } = answer.headers ?? {};
  const headers = Warning === undefined ? {} : { headers: { Warning } };
  return { status: 200, body: { data: { ...withoutNumbers(shown, taken), number: null, complete } }, ...headers };
}

function entryIds(changes: readonly RecordedChange[]): string[] {
  return [...new Set(changes.flatMap(({ description }) => description.entries.map(({ id }) => id)))];
}

function movementIds(changes: readonly RecordedChange[]): string[] {
  return changes.flatMap(({ description }) => description.stockMoves.map(({ movement }) => String(movement.id)));
}

function news(changes: readonly RecordedChange[]) {
  return changes
    .flatMap(({ description }) => description.events)
    .filter(({ event, processed_at: handedOver }) => isNews(String(event)) && handedOver === undefined)
    .map(({ event, entity_type, entity_id, payload }) => ({ event, entity_type, entity_id, data: payload }));
}

function recordIn(body: unknown): unknown {
  if (body === undefined) return null;
  const { data } = body as { readonly data?: unknown };
  return data === undefined ? body : data;
}

function warningsIn(document: unknown): unknown[] {
  const { warnings } = (document ?? {}) as { readonly warnings?: unknown };
  return Array.isArray(warnings) ? warnings : [];
}

/** Numbers that only the rolled back transaction has taken: heads lose them, and texts that contain one have an ellipsis in its place. */
function withoutNumbers<Shown extends object>(shown: Shown, codes: readonly string[]): Shown {
  if (codes.length === 0) return shown;
  return JSON.parse(JSON.stringify(shown), function (this: Record<string, unknown>, member, value: unknown) {
    if (typeof value === 'string') {
      if (codes.includes(value)) return null;
      return codes.reduce((text, code) => text.replaceAll(code, '…'), value);
    }
    return member === 'number' && codes.includes(String(this.code)) ? null : value;
  }) as Shown;
}
