/** Fills in templates in a thread (started by render.ts). */
import { threadTask } from '../../platform/threads/task.ts';
import { fillIn } from './liquid.ts';

export default threadTask(fillIn);
