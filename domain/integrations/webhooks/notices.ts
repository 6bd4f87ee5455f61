/** Notices to a company about its webhooks, in both languages. Receivers' answers and filter errors are quoted unchanged. */
import type { Language } from '../../locale/formats.ts';
import type { NoticeText } from '../../messages/notifications/types.ts';
import { DISABLED_AFTER_FAILURES } from './failing.ts';

/** A text in English, with its Spanish translation. */
export type WebhookNotice = NoticeText & { readonly es: NoticeText };
type Reason = Readonly<Record<Language, string>>;

/** A series of failures without a success in between. */
export interface Failing {
  readonly failures: number;
  /** ISO 8601, UTC. */
  readonly failingSince: string;
  /** Error of the last attempt. */
  readonly error: string;
}

/** Reason for disabling a webhook whose receiver answered 410. */
export const NOT_WANTED: Reason = {
  en: 'Its receiver answered 410: it does not want any more events.',
  es: 'Su receptor ha respondido 410: no quiere recibir más.',
};

/** Reason for disabling a webhook that has failed for too long. */
export function failedForDays(failing: Failing): Reason {
  const { en, es } = since(failing);
  return {
    en: `No delivery has succeeded for five days. ${en}`,
    es: `Ninguna entrega ha tenido éxito en cinco días. ${es}`,
  };
}

/** Warns of a webhook that will be disabled. @param end at this time, ISO 8601 */
export function keepsFailing(name: string, failing: Failing, end: string): WebhookNotice {
  const { en, es } = since(failing);
  return withLabels(
    `The webhook ${name} keeps failing`,
    `${en} It will be disabled if no delivery succeeds by ${inWords(end)} and at least ${DISABLED_AFTER_FAILURES} attempts have failed.`,
    `El webhook ${name} sigue fallando`,
    `${es} Sin ningún éxito hasta el ${inWords(end)}, y tras al menos ${DISABLED_AFTER_FAILURES} fallos, se desactiva.`,
  );
}

/** Reports that a webhook was disabled. */
export function switchedOff(name: string, webhookId: string, reason: Reason): WebhookNotice {
  const recover = `POST /api/webhooks/${webhookId}/recover`;
  return withLabels(
    `The webhook ${name} was disabled`,
    `${reason.en} The events that it misses from now on are kept. Once its receiver works again, activate the webhook and ` +
      `redeliver them with ${recover}.`,
    `El webhook ${name} se ha desactivado`,
    `${reason.es} Lo que no reciba desde ahora se conserva: cuando su receptor vuelva a funcionar, actívelo y pida los eventos ` +
      `con ${recover}.`,
  );
}

/** Reports that the filters of a webhook cannot be evaluated. */
export function filtersFail(name: string, webhookId: string, event: string, error: string): WebhookNotice {
  const recover = `POST /api/webhooks/${webhookId}/recover`;
  return withLabels(
    `The filters of the webhook ${name} fail`,
    `${event} was not delivered. ${error}. Correct the filters, then redeliver the events with ${recover}.`,
    `Los filtros del webhook ${name} fallan`,
    `${event} no se ha entregado. ${error}. Corrija los filtros y pida después los eventos con ${recover}.`,
  );
}

/** Reports that deliveries cannot be signed, because the secret was encrypted with another key. */
export function secretLost(name: string, webhookId: string, event: string): WebhookNotice {
  const [rotate, recover] = ['rotate-secret', 'recover'].map((what) => `POST /api/webhooks/${webhookId}/${what}`);
  return withLabels(
    `The secret of the webhook ${name} cannot be opened`,
    `${event} was not delivered because it cannot be signed. Give the webhook a new secret with ${rotate} and set it at the receiver, ` +
      `or ask the operators of the service to restore the key that encrypted it. Then redeliver the events with ${recover}.`,
    `El secreto del webhook ${name} no se puede abrir`,
    `${event} no se ha entregado, porque no se puede firmar. Dé al webhook un secreto nuevo con ${rotate} y póngalo en el receptor, ` +
      `o pida a quien opera el servicio la clave con la que se guardó. Pida después los eventos con ${recover}.`,
  );
}

function withLabels(title: string, body: string, titleEs: string, bodyEs: string): WebhookNotice {
  return {
    title,
    body,
    actionLabel: 'Failed attempts',
    es: { title: titleEs, body: bodyEs, actionLabel: 'Intentos fallidos' },
  };
}

function since({ failures, failingSince, error }: Failing): Reason {
  return {
    en: `${failures} attempts have failed since ${inWords(failingSince)}, the last with: ${error}.`,
    es: `${failures} intentos han fallado desde el ${inWords(failingSince)}, el último con: ${error}.`,
  };
}

/** 2026-06-15 10:00 UTC */
function inWords(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}
