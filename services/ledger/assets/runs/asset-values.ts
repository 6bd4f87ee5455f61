/** Keeps the values and days of assets equal to what runs have entered: sums of their movements. */
import { followUp } from '../../../../db/changes/follow-up.ts';
import { query } from '../../../../db/sql.ts';

/** Brings the values and days of assets up to what a run has entered. */
export const advanceAssets = followUp<{ readonly runId: string }>('advance assets', async (trx, _ctx, { runId }) => {
  await query(
    trx,
    `update assets a set accumulated = a.accumulated + m.amount, depreciated_to = m.until,
       next_from = case when m.until < a.ends_on then m.until + 1 end
     from (select asset_id, sum(accumulated) as amount, max(to_date) as until from asset_movements where run_id = :runId::uuid group by 1) m
     where a.id = m.asset_id`,
    { runId },
  );
});

/** Takes the depreciation of a run out of its assets, whose days can be depreciated again. */
export const bringBack = followUp<{ readonly runId: string }>('bring assets back', async (trx, _ctx, { runId }) => {
  await query(trx, 'update asset_movements set standing = false where run_id = :runId::uuid and standing', { runId });
  await query(
    trx,
    `update assets a set accumulated = a.accumulated - m.amount, next_from = m.first,
       depreciated_to = coalesce((select max(d.to_date) from asset_movements d
         where d.asset_id = a.id and d.standing and d.kind = 'depreciation'), a.taken_over_to)
     from (select asset_id, sum(accumulated) as amount, min(from_date) as first from asset_movements
       where run_id = :runId::uuid and undoes_id is null group by 1) m
     where a.id = m.asset_id`,
    { runId },
  );
});
