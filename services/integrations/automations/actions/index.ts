/** Performers by type of action. A new type is a row here, with its members in `schemas.ts`. */
import type { Action } from '../schemas.ts';
import type { AskingAction, CallingAction, WritingAction } from './action.ts';
import { cancelAction, lockAction, updateField } from './documents.ts';
import { callWebhook, requestHttp } from './http.ts';
import { sendEmail } from './mail.ts';
import { createNotification } from './notification.ts';
import { reconcilePayment } from './payments.ts';
import { executePlugin } from './plugins.ts';
import { generateReport } from './reports.ts';
import { assignAction, requestApproval } from './to-dos.ts';

type Performer<Type extends Action['type']> = WritingAction<Type> | CallingAction<Type> | AskingAction<Type>;

const PERFORMERS: { readonly [Type in Action['type']]: Performer<Type> } = {
  'email.send': sendEmail,
  'notification.create': createNotification,
  'to_do.assign': assignAction,
  'approval.request': requestApproval,
  'webhook.call': callWebhook,
  'http.request': requestHttp,
  'document.update_field': updateField,
  'document.cancel': cancelAction,
  'document.lock': lockAction,
  'plugin.execute': executePlugin,
  'report.generate': generateReport,
  'payment.reconcile': reconcilePayment,
};

/** Finds the performer of a type; undefined for a type of a later release. */
export function findPerformer(
  type: string,
): WritingAction<Action['type']> | CallingAction<Action['type']> | AskingAction<Action['type']> | undefined {
  return Object.hasOwn(PERFORMERS, type) ? (PERFORMERS[type as Action['type']] as never) : undefined;
}
