/** Pausing of rules by the service, and the end of what they had begun. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Automation } from '../../db/models/automations.ts';
import { patchRow } from '../../db/write.ts';
import { shortened } from '../../domain/shorten.ts';
import { alertAdmins } from '../notifications/notify.ts';
import { clockEvents } from './clock/known.ts';
import { cancelRuns } from './run-rows.ts';

/** Why a rule is paused, in both languages. */
export interface PauseReason {
  readonly en: string;
  readonly es: string;
}

export const TOO_MANY: PauseReason = {
  en: 'It ran 60 times within a minute',
  es: 'Se ha ejecutado 60 veces en un minuto',
};
export const TOO_MANY_OF_ALL: PauseReason = {
  en: "The company's automations ran 600 times within a minute",
  es: 'Las automatizaciones de la empresa se han ejecutado 600 veces en un minuto',
};
export const NOT_ALLOWED: PauseReason = {
  en: 'Whoever it acts for may no longer do what it does, or has left the company',
  es: 'Quien la creó ya no puede hacer lo que hace, o ha dejado la empresa',
};

/** Pauses a rule that is active, ends its runs, and tells its owner and the administrators. */
export async function pauseAutomation(trx: Db, ctx: Context, id: string, { en, es }: PauseReason): Promise<void> {
  const rule = (await Automation.query(trx).findById(id).forNoKeyUpdate()) as Automation | undefined;
  if (rule?.status !== 'active') return;
  await patchRow(trx, ctx, Automation, rule, { status: 'paused', pauseReason: shortened(en, 500) }, (paused) =>
    clockEvents(rule, paused),
  );
  await cancelRuns(trx, ctx, id, en);
  const path = `/api/automations/${id}`;
  const notice = {
    title: `The automation ${rule.name} is paused`,
    body: `${en}. Look at it, then enable it by POST ${path}/enable.`,
    actionLabel: 'Show',
    es: {
      title: `La automatización ${rule.name} está en pausa`,
      body: `${es}. Revísela y actívela con POST ${path}/enable.`,
      actionLabel: 'Ver',
    },
    metadata: { automation_id: id },
    actionUrl: path,
  };
  await alertAdmins(trx, ctx, notice, rule.runsAs === null ? [] : [rule.runsAs]);
}
