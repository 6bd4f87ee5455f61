/** Creates and updates schedules in Temporal by their contracts. */
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOptions,
} from '@temporalio/client';

/** Thrown to leave an update without changes. */
const LEAVE = new Error('The schedule stays as it is');

/**
 * Creates the schedule, or updates an existing one to match.
 * @param nextState decides the state of an existing schedule; null leaves it unchanged
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
    // Decides on the schedule's latest state, so that concurrent changes by operators are not undone.
    await client.schedule.getHandle(scheduleId).update((found) => {
      const state = nextState(found);
      if (state === null) throw LEAVE;
      return { ...rest, state };
    });
  } catch (error) {
    if (error !== LEAVE) throw error;
  }
}

/** Removes a schedule; succeeds if it does not exist. */
export async function removeSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
