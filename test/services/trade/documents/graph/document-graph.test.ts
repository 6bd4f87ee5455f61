import assert from 'node:assert/strict';
import type { DocType } from '../../../../../domain/trade/documents/types.ts';
import { PAYMENT_KINDS } from '../../../../../domain/trade/payments/types.ts';
import { loadDocumentGraph } from '../../../../../services/trade/documents/graph/document-graph.ts';
import { type Doc, useTrade } from '../../lifecycle/follow-helpers.ts';

interface Graph {
  readonly nodes: readonly { readonly id: string; readonly docType: DocType; readonly relation: string }[];
  readonly links: readonly { readonly from: string; readonly to: string; readonly relation: string }[];
  readonly truncated: boolean;
}

describe('the graph of a document with many others', () => {
  let order: Doc;
  let invoice: Doc;
  const trade = useTrade({ sound: false });
  before(async () => {
    const { itemId } = trade.company;
    await trade.company.stockUp(itemId, 10);
    order = await trade.create('SO', { lines: [{ itemId, quantity: 10 }] });
    const note = await trade.follow(order, 'deliver', {
      lines: [{ baseLineId: order.lines[0]?.id ?? '', quantity: 2 }],
    });
    invoice = await trade.follow(note, 'invoice');
    await repeat(note, 600);
  });

  /** More notes of the order, all of them invoiced by the one invoice: for the walk only their lines matter. */
  async function repeat(note: Doc, times: number): Promise<void> {
    const [columns] = await trade.company.rows(
      `select string_agg(column_name, ', ') as own, string_agg('copy.' || column_name, ', ') as copied
       from information_schema.columns where table_name = 'documents' and is_generated = 'NEVER'`,
    );
    await trade.company.run((trx) =>
      trx.raw(
        `with copies as (select n, gen_random_uuid() as id, gen_random_uuid() as line, gen_random_uuid() as billed
          from generate_series(1, ?::int) n),
         notes as (
           insert into documents (${columns?.own}) select ${columns?.copied} from documents d, copies c,
             jsonb_populate_record(d, jsonb_build_object('id', c.id, 'number', 1000 + c.n, 'code', 'COPY' || c.n)) copy where d.id = ?),
         delivered as (
           insert into document_lines select (jsonb_populate_record(l, jsonb_build_object('id', c.line, 'document_id', c.id))).*
           from document_lines l, copies c where l.document_id = ?)
         insert into document_lines
           select (jsonb_populate_record(l, jsonb_build_object('id', c.billed, 'line_number', 1 + c.n, 'base_id', c.id, 'base_line_id',
           c.line))).*
         from document_lines l, copies c where l.document_id = ?`,
        [times, note.id, note.id, invoice.id],
      ),
    );
  }
  const readGraph = ({ id, docType }: Doc, ...types: DocType[]) =>
    trade.company.run((trx) =>
      loadDocumentGraph(trx, id, docType, { types: new Set(types), payments: new Set(PAYMENT_KINDS), entries: true }),
    ) as unknown as Promise<Graph>;
  const count = ({ nodes }: Graph, relation: string) => nodes.filter((node) => node.relation === relation).length;

  it('shows 500 in each direction, with links between these only, and says that there are more', async () => {
    for (const [document, relation] of [
      [order, 'after'],
      [invoice, 'before'],
    ] as const) {
      const graph = await readGraph(document, 'SO', 'SDN', 'SINV');
      assert.deepEqual(
        [count(graph, relation), count(graph, 'self'), graph.nodes.length, graph.truncated],
        [500, 1, 501, true],
      );
      const shown = new Set(graph.nodes.map(({ id }) => id));
      assert.equal(graph.links.filter(({ from, to }) => shown.has(from) && shown.has(to)).length, graph.links.length);
      assert.equal(new Set(graph.links.map(({ from, to }) => `${from} ${to}`)).size, graph.links.length);
      assert.equal(graph.links.length >= 499, true, `${graph.links.length} links`);
    }
  });

  it('does not count what the reader may not see', async () => {
    const graph = await readGraph(order, 'SO', 'SINV');
    assert.deepEqual([graph.nodes.map(({ docType }) => docType).sort(), graph.truncated], [['SINV', 'SO'], false]);
    const up = await readGraph(invoice, 'SO', 'SINV');
    assert.deepEqual([up.nodes.map(({ docType }) => docType).sort(), up.truncated], [['SINV', 'SO'], false]);
    const notes = await readGraph(order, 'SO', 'SDN');
    assert.deepEqual([count(notes, 'after'), notes.truncated], [500, true]);
  });
});
