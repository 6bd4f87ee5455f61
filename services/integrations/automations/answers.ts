/** Keeps the answers of calls that later actions of the run refer to, encrypted: they may hold credentials (decision 0250). */
import type { AutomationRun } from '../../../db/models/integrations/automations.ts';
import { type FieldError, invalidMember } from '../../../domain/errors.ts';
import {
  type Answer,
  type AnswerPath,
  answerPath,
  CALLING_ACTIONS,
  keptResponse,
  type Response,
} from '../../../domain/integrations/automations/answers.ts';
import { templatePaths } from '../../../domain/integrations/automations/templates.ts';
import { answersPlace, type EncryptionKeys, SealError, seal, unseal } from '../../platform/encryption/seal.ts';
import { textsIn } from '../../platform/validation/text.ts';

/** The kept answers of a run, by index of their actions. */
type Kept = Readonly<Record<string, Response>>;

type Typed = object & { readonly type: string };

/** Finds references to answers that no action can have when it is performed. */
export function answerFaults(actions: readonly Typed[]): FieldError[] {
  return actions.flatMap((action, index) =>
    answerPaths(action, `/actions/${index}`).flatMap(({ pointer, ...path }) => {
      const message = pathFault(path, actions.slice(0, index));
      return message === null ? [] : [{ pointer, code: 'invalid_reference', message }];
    }),
  );
}

function pathFault({ path, action, isValid }: AnswerPath, earlier: readonly Typed[]): string | null {
  const named = `has {{${path.slice(0, 60)}}}, which`;
  const called = earlier[action];
  if (called === undefined) return `${named} must name an earlier action: the first is actions[0]`;
  if (!CALLING_ACTIONS.has(called.type)) return `${named} cannot have an answer because ${called.type} calls no server`;
  return isValid ? null : `${named} must go on with response.status, response.headers or response.body`;
}

/** Whether a later action refers to the answer of an action. */
function isAnswerRead(actions: readonly Typed[], index: number): boolean {
  return actions.slice(index + 1).some((later) => answerPaths(later, '').some(({ action }) => action === index));
}

/**
 * Opens the answers that the templates of an action refer to, as the member `actions` of its data.
 * @throws ServiceError if it refers to a body that was not kept or cannot be opened any more
 */
export function answersFor(keys: EncryptionKeys, run: AutomationRun, action: Typed): Readonly<Record<string, unknown>> {
  const paths = answerPaths(action, '');
  if (paths.length === 0) return {};
  const kept = openAnswers(keys, run) ?? {};
  for (const { path, action: index, isBody, pointer } of paths) {
    if (!isBody) continue;
    const { lost } = kept[index] ?? { lost: 'is not there: none came, or the keys of the service are others by now' };
    if (lost !== undefined)
      throw invalidMember(pointer, 'no_data', `cannot have {{${path}}} because the answer ${lost}`);
  }
  const performed = run.actions.map((_, index) => (kept[index] === undefined ? {} : { response: kept[index] }));
  return { actions: performed };
}

/**
 * Adds an answer to those kept, if a later action refers to it. It never fails: the call has been made, so its result must be recorded,
 * or it would be made again. What cannot be kept or opened fails the action that refers to it.
 * @returns the answers of the run from now on, encrypted
 */
export function withAnswer(
  keys: EncryptionKeys,
  run: AutomationRun,
  index: number,
  answer: Answer | null,
): Buffer | null {
  const isKept = answer !== null && keys.length > 0 && isAnswerRead(run.actions, index);
  if (!isKept) return run.answersEncrypted;
  const kept = { ...openAnswers(keys, run), [index]: keptResponse(answer) };
  return seal(keys, answersPlace(run), JSON.stringify(kept));
}

/** The answers kept so far; null if no key opens them. */
function openAnswers(keys: EncryptionKeys, { answersEncrypted: sealed, ...run }: AutomationRun): Kept | null {
  if (sealed === null) return {};
  try {
    return JSON.parse(unseal(keys, answersPlace(run), sealed)) as Kept;
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

function answerPaths(action: Typed, at: string): (AnswerPath & { readonly pointer: string })[] {
  return textsIn(action, at).flatMap(({ text, pointer }) =>
    templatePaths(text).flatMap((path) => {
      const found = answerPath(path);
      return found === null ? [] : [{ ...found, pointer }];
    }),
  );
}
