/** What each type of action does. A new one is a row here, and its members in `schemas.ts`. */
import type { Action } from '../schemas.ts';
import type { CallingAction, WritingAction } from './action.ts';
import { cancelIt, lockIt, updateField } from './documents.ts';
import { sendEmail } from './email.ts';
import { callWebhook, requestHttp } from './http.ts';
import { createNotification } from './notification.ts';
import { reconcilePayment } from './payments.ts';
import { executePlugin } from './plugins.ts';
import { generateReport } from './reports.ts';

type Performer<Type extends Action['type']> = WritingAction<Type> | CallingAction<Type>;

const PERFORMERS: { readonly [Type in Action['type']]: Performer<Type> } = {
  'email.send': sendEmail,
  'notification.create': createNotification,
  'webhook.call': callWebhook,
  'http.request': requestHttp,
  'document.update_field': updateField,
  'document.cancel': cancelIt,
  'document.lock': lockIt,
  'plugin.execute': executePlugin,
  'report.generate': generateReport,
  'payment.reconcile': reconcilePayment,
};

/** Whoever does actions of a type; undefined for one that a later release has made. */
export function performerOf(type: string): WritingAction<Action['type']> | CallingAction<Action['type']> | undefined {
  return Object.hasOwn(PERFORMERS, type) ? (PERFORMERS[type as Action['type']] as never) : undefined;
}
