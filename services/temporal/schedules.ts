/** Schedules of Temporal, made and kept by their contracts. */
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOptions,
} from '@temporalio/client';

/**
 * Makes the schedule, or makes the one there is equal to it.
 * @param stateOf the state of one that is there already; null leaves it as it is
 */
export async function putSchedule(
  client: Client,
  wanted: ScheduleOptions,
  stateOf: (found: ScheduleDescription) => { readonly paused: boolean; readonly note?: string } | null,
): Promise<void> {
  try {
    await client.schedule.create(wanted);
    return;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = client.schedule.getHandle(wanted.scheduleId);
  const state = stateOf(await handle.describe());
  if (state === null) return;
  const { scheduleId: _, memo: __, ...rest } = wanted;
  await handle.update(() => ({ ...rest, state }));
}

/** What is not there is removed already. */
export async function removeSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
