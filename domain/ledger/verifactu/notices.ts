/** Notices about records for the tax agency, in both languages. */
import type { AlertText } from '../../messages/notifications/alerts.ts';
import type { AgencyError } from './answers.ts';
import type { ProblemCode } from './sending.ts';

/** Tells of records that the agency refused, or wants corrected. @param error the first one's */
export function recordsRefused(count: number, error: AgencyError | null): AlertText {
  const reason = error === null ? '' : `: ${error.text} (${error.code})`;
  return {
    title: count === 1 ? 'The tax agency objects to an invoice' : `The tax agency objects to ${count} invoices`,
    body: `GET /api/verifactu/records names the errors, and POST …/correct sends a record anew${reason}`,
    actionLabel: 'Show',
    es: {
      title: count === 1 ? 'La AEAT pone reparos a una factura' : `La AEAT pone reparos a ${count} facturas`,
      body: `GET /api/verifactu/records dice los errores, y POST …/correct envía de nuevo un registro${reason}`,
      actionLabel: 'Ver',
    },
  };
}

const CAUSES: Readonly<Record<ProblemCode, readonly [english: string, spanish: string]>> = {
  no_certificate: [
    'There is no certificate to send them with: PUT /api/verifactu/certificate.',
    'No hay certificado con el que enviarlos: PUT /api/verifactu/certificate.',
  ],
  certificate_expired: [
    'The certificate has expired: PUT /api/verifactu/certificate.',
    'El certificado ha caducado: PUT /api/verifactu/certificate.',
  ],
  no_maker: [
    'The operators of the service must say who makes the program (VERIFACTU_MAKER_NAME).',
    'Quien opera el servicio tiene que indicar el productor del programa (VERIFACTU_MAKER_NAME).',
  ],
  refused: [
    'The agency refuses the whole message. It is sent again every hour.',
    'La AEAT rechaza el envío completo. Se repite cada hora.',
  ],
  suspended: [
    'The agency has suspended access. Ask it why; then POST /api/verifactu/resume.',
    'La AEAT ha suspendido el acceso. Consulte el motivo; después, POST /api/verifactu/resume.',
  ],
  unreachable: [
    'The agency does not answer. They are sent again until it does, at least once an hour.',
    'La AEAT no contesta. Se repite el envío hasta que lo haga, al menos cada hora.',
  ],
};

/** Says what keeps records from being sent. Invoices may be issued all the same (Orden HAC/1177/2024, art. 16). */
export function sendingFails(code: ProblemCode, error: AgencyError | null): AlertText {
  const [english, spanish] = CAUSES[code];
  const said = error === null ? '' : ` ${error.text} (${error.code})`;
  return {
    title: 'Records of invoices wait to be sent',
    body: `${english}${said} Invoices can be issued all the same.`,
    actionLabel: 'Show',
    es: {
      title: 'Hay registros de facturas sin enviar',
      body: `${spanish}${said} Se pueden seguir emitiendo facturas.`,
      actionLabel: 'Ver',
    },
  };
}

/** @param days whole days left; negative if it has ended */
export function certificateEnds(holder: string, days: number): AlertText {
  const [english, spanish] =
    days < 0
      ? ['has expired', 'ha caducado']
      : days === 0
        ? ['ends within a day', 'caduca en menos de un día']
        : [`ends in ${days + 1} days`, `caduca en ${days + 1} días`];
  return {
    title: `The certificate for the tax agency ${english}`,
    body: `That of ${holder}. Records of invoices cannot be sent without a valid one: PUT /api/verifactu/certificate.`,
    actionLabel: 'Show',
    es: {
      title: `El certificado para la AEAT ${spanish}`,
      body: `El de ${holder}. Sin uno válido no se pueden enviar registros de facturas: PUT /api/verifactu/certificate.`,
      actionLabel: 'Ver',
    },
  };
}
