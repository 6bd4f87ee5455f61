/** Schedules of Temporal, made and kept by their contracts. */
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOptions,
} from '@temporalio/client';

/** The way out of an update. */
const LEAVE = new Error('The schedule stays as it is');

/**
 * Makes the schedule, or makes the one there is equal to it.
 * @param nextState the state of one that is there already; null leaves it as it is
 */
export async function putSchedule(
  client: Client,
  wanted: ScheduleOptions,
  nextState: (found: ScheduleDescription) => { readonly paused: boolean; readonly note?: string } | null,
): Promise<void> {
  try {
    await client.schedule.create(wanted);
    return;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const { scheduleId, memo: _, ...rest } = wanted;
  try {
    // Decided on what is there at the last moment: what operators do meanwhile must not be undone.
    await client.schedule.getHandle(scheduleId).update((found) => {
      const state = nextState(found);
      if (state === null) throw LEAVE;
      return { ...rest, state };
    });
  } catch (error) {
    if (error !== LEAVE) throw error;
  }
}

/** Removes a schedule; one that does not exist counts as removed. */
export async function removeSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
