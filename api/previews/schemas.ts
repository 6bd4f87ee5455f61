/** The answer to a preview. */
import { Type } from 'typebox';
import { choice, dataBody, flag, nullable, text, uuid } from '../../services/platform/validation/schemas.ts';
import { JournalEntry } from '../ledger/accounting/journal-entry-schemas.ts';
import { StockMovement } from '../trade/stock/movements.ts';

/** The query parameter of routes with previews. */
export const PREVIEW_PARAMETER = Type.Optional(
  choice(['true', 'false'], {
    description:
      'With `true` nothing is written: status 200 with a `Preview` of what would be, no number is taken, no event is sent, and a refusal ' +
      'is answered as it would be.',
  }),
);

const PreviewedEvent = Type.Object({
  event: text(),
  entity_type: text(),
  entity_id: uuid(),
  data: Type.Record(Type.String(), Type.Unknown()),
});

export const Preview = dataBody(
  Type.Object(
    {
      document: Type.Unknown({
        description:
          'The record as the answer would show it; null where the answer would have no body. Ids are not kept',
      }),
      entries: nullable(
        Type.Array(JournalEntry, {
          description: 'Journal entries that would be made or posted; null without permission to read entries',
        }),
      ),
      stock_moves: nullable(
        Type.Array(StockMovement, {
          description: 'Stock movements that would be made; null without permission to read stock',
        }),
      ),
      number: Type.Null({ description: 'A number is only taken by the act itself' }),
      events: Type.Array(PreviewedEvent, { description: 'Events that webhooks would receive' }),
      warnings: Type.Array(Type.Unknown(), { description: 'The `warnings` that the answer would have' }),
      complete: flag({ description: 'False for work in the background of which only the first part is shown' }),
    },
    { title: 'Preview' },
  ),
);
