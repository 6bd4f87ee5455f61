/** Acts on fixed assets: improvements, impairments, disposals. */
import { Asset } from '../../../db/models/ledger/assets.ts';
import { findRow } from '../../../db/queries/find.ts';
import { disposeOfAsset } from '../../../services/ledger/assets/acts/dispose.ts';
import { impairAsset, reverseImpairment } from '../../../services/ledger/assets/acts/impair.ts';
import { improveAsset } from '../../../services/ledger/assets/acts/improve.ts';
import { DisposalBody, ImpairmentBody, ImprovementBody } from '../../../services/ledger/assets/acts/schemas.ts';
import { undoLast } from '../../../services/ledger/assets/acts/undo.ts';
import { UndoBody } from '../../../services/ledger/assets/runs/schemas.ts';
import { assets } from '../../../services/records/master-data/assets.ts';
import { answerSchema } from '../../../services/records/resources/fields.ts';
import { actRoutes } from '../../acts.ts';
import type { Route } from '../../route.ts';

const ONE = '/api/assets/:id';
const act = actRoutes({
  tag: 'Fixed assets',
  access: 'assets:update',
  answer: answerSchema(assets),
  problems: ['invalid_transition', 'period_closed', 'in_use'],
  read: async (db, id) => Asset.toJson({ ...(await findRow(db, Asset, { id })) }),
});

export const routes: Route[] = [
  act(improveAsset, {
    body: ImprovementBody,
    path: `${ONE}/improve`,
    id: 'improveAsset',
    summary: 'Add to the cost of an asset',
    description:
      'An improvement, from a line of a purchase invoice or by hand, is depreciated over what is left of the useful life, from its month ' +
      'on. It makes no entry: the invoice has made it. Below zero it lowers the cost, as before a credit of the purchase.',
  }),
  act(impairAsset, {
    body: ImpairmentBody,
    path: `${ONE}/impair`,
    id: 'impairAsset',
    summary: 'Enter an impairment',
    description:
      'Expense against impairment (691/291); what is left is depreciated over what is left of the useful life.',
  }),
  act(reverseImpairment, {
    body: ImpairmentBody,
    path: `${ONE}/reverse-impairment`,
    id: 'reverseAssetImpairment',
    summary: 'Take an impairment back',
    description:
      'Wholly or in part (291/791), as far as the asset is not worth more than it would be without the impairment.',
  }),
  act(disposeOfAsset, {
    body: DisposalBody,
    path: `${ONE}/dispose`,
    id: 'disposeOfAsset',
    summary: 'Dispose of an asset',
    description:
      'Enters the depreciation up to the day, takes cost, depreciation and impairment out, and enters the gain (771) or loss (671). The ' +
      'proceeds of a sale are taken from the account on which its invoice entered them, so that the result stands alone. With ' +
      '`percentage` or `cost` only a part of it goes, with its share of all values; the rest is depreciated further.',
  }),
  act((trx, ctx, id, body, ifMatch) => undoLast(trx, ctx, id, { ...body, ifMatch }), {
    body: UndoBody,
    bodyOptional: true,
    path: `${ONE}/undo`,
    id: 'undoAssetAct',
    summary: 'Undo what was done last with an asset',
    description:
      'An improvement, impairment, its reversal, or the disposal; its entry is reversed. Runs are undone as a whole.',
  }),
];
