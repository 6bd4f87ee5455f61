/** The headers that actions of rules add to their requests. */
import { type Headers, isMediaType, masked } from '../webhooks/headers.ts';
import { maskedUrl } from '../webhooks/urls.ts';

/** An action, whose headers may have values. */
type WithHeaders = object & { readonly headers?: unknown };

/** Replaces the values of the headers of actions by masks. */
export function maskActions<Action extends WithHeaders>(actions: readonly Action[]): Action[] {
  return actions.map((action) => (hasHeaders(action) ? { ...action, headers: masked(action.headers) } : action));
}

/** Masks the secrets in the address that an action calls. */
export function maskAddress<Action extends object & { readonly url?: unknown }>(action: Action): Action {
  return typeof action.url === 'string' ? { ...action, url: maskedUrl(action.url) } : action;
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
