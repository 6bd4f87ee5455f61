/** Depreciation of fixed assets whose month is over, for companies that want it entered by itself. */
import type { AssetRun } from '../../../db/models/ledger/assets.ts';
import { counted } from '../../../domain/words.ts';
import { runDepreciation } from '../../ledger/assets/runs/perform.ts';
import { completeRequest } from '../../ledger/assets/runs/task.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { DueKind, EnteredSome } from './kind.ts';

const NOTHING: EnteredSome = { entered: 0, more: false, toDo: null, notice: null };

export const DEPRECIATION_KIND: DueKind = {
  name: 'depreciation',
  refused: { en: 'Depreciation could not be entered', es: 'No se pudo contabilizar la amortización' },
  companies: `select s.tenant_id from settings s
    where s.name = 'accounting' and s.value -> 'automaticDepreciation' = 'true' and exists (select from assets a
      where a.tenant_id = s.tenant_id and a.next_from < date_trunc('month', :day::date + 1))`,

  async enter(trx, ctx) {
    // The company may be due for another kind.
    if (!(await loadSettings(trx, 'accounting')).automaticDepreciation) return NOTHING;
    const run = await runDepreciation(trx, ctx, { ...(await completeRequest(trx, ctx, {})), automatic: true });
    return run === null ? NOTHING : { ...NOTHING, entered: 1, notice: noticeAbout(run) };
  },
};

function noticeAbout({ id, code, to, assets, total }: AssetRun) {
  const amount = Number(total).toFixed(2);
  const [en, es] = [counted(assets, 'asset'), assets === 1 ? '1 activo' : `${assets} activos`];
  return {
    en: { title: `Depreciation up to ${to} was entered`, body: `${code}: ${amount} of ${en}.` },
    es: { title: `Se contabilizó la amortización hasta ${to}`, body: `${code}: ${amount} de ${es}.` },
    actionUrl: `/api/asset-runs/${id}`,
  };
}
