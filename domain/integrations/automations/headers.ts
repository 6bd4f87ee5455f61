/** The headers that actions of rules add to their requests. */
import { type Headers, isMediaType, masked } from '../webhooks/headers.ts';

/** An action, whose headers may have values. */
type WithHeaders = object & { readonly headers?: unknown };

/** Replaces the values of the headers of actions by masks. */
export function maskActions<Action extends WithHeaders>(actions: readonly Action[]): Action[] {
  return actions.map((action) => (hasHeaders(action) ? { ...action, headers: masked(action.headers) } : action));
}

/** Removes headers with masks from actions. */
export function withoutMasks<Action extends WithHeaders>(actions: readonly Action[]): Action[] {
  return actions.map((action) => {
    if (!hasHeaders(action)) return action;
    const plain = Object.entries(action.headers).filter(([name]) => isMediaType(name));
    return { ...action, headers: Object.fromEntries(plain) };
  });
}

/** Lists the headers of actions. */
export function actionHeaders(actions: readonly WithHeaders[]): Headers[] {
  return actions.map((action) => (hasHeaders(action) ? action.headers : {}));
}

function hasHeaders<Action extends WithHeaders>(action: Action): action is Action & { readonly headers: Headers } {
  return typeof action.headers === 'object' && action.headers !== null;
}
