/** Background tasks: reports, imports, payrolls and other work that a request only starts. */
import { TaskError } from './errors.ts';
import type { Transport } from './transport.ts';

export interface Task {
  readonly id: string;
  readonly status: string;
  /** Percent. */
  readonly progress: number;
  readonly message?: string | null;
  readonly result?: unknown;
}

export interface WaitOptions {
  /** Told of each change of status, progress or message. */
  readonly onProgress?: (task: Task) => void;
  /** Milliseconds after which waiting ends with an error; the task goes on. Ten minutes by default. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

const ENDED = new Set(['completed', 'failed', 'cancelled']);
const TEN_MINUTES = 600_000;
/** Milliseconds between looks: the first, and the longest. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 3_000;

/** A task, its id, or the answer of the request that started it. */
export type Started = string | { readonly id?: string; readonly task_id?: string } | object;

function taskId(started: Started): string {
  const { id, task_id: ofTask = id } = (typeof started === 'string' ? { id: started } : started) as {
    id?: string;
    task_id?: string;
  };
  if (ofTask === undefined) throw new TypeError('A task must have an id: the request has started none');
  return ofTask;
}

/**
 * Waits until a task has ended.
 * @throws TaskError if it has failed or was cancelled
 */
export async function waitForTask(
  transport: Transport,
  started: Started,
  { onProgress, timeout = TEN_MINUTES, signal }: WaitOptions = {},
): Promise<Task> {
  const id = taskId(started);
  const end = Date.now() + timeout;
  let shown = '';
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 1.5)) {
    const path = `/api/tasks/${encodeURIComponent(id)}`;
    const response = await transport.send('GET', path, signal === undefined ? {} : { signal });
    const { data: task } = (await response.json()) as { data: Task };
    const state = `${task.status} ${task.progress} ${task.message}`;
    if (state !== shown) onProgress?.(task);
    shown = state;
    if (task.status === 'completed') return task;
    if (ENDED.has(task.status)) throw new TaskError(task);
    if (Date.now() + pause > end) throw new Error(`The task ${id} has not ended within ${timeout} ms; it goes on`);
    await new Promise((resolve) => setTimeout(resolve, pause));
    signal?.throwIfAborted();
  }
}
