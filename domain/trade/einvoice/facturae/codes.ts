/** Codes of Facturae 3.2.2. Their texts are part of the format. */
import type { RectificationMethod } from '../../documents/rectifications.ts';
import type { PaymentMethod } from '../../payments/types.ts';

/** PaymentMeans: 01 cash, 02 direct debit, 03 receipt, 04 transfer, 11 cheque, 13 special, 19 card. */
export const PAYMENT_MEANS: Readonly<Record<PaymentMethod, string>> = {
  cash: '01',
  direct_debit: '02',
  effects: '03',
  transfer: '04',
  cheque: '11',
  voucher: '13',
  card: '19',
};

/** Why an invoice is rectified, with the text that goes with each code. */
export const CORRECTION_REASONS = {
  '01': 'Número de la factura',
  '02': 'Serie de la factura',
  '03': 'Fecha expedición',
  '04': 'Nombre y apellidos/Razón Social-Emisor',
  '05': 'Nombre y apellidos/Razón Social-Receptor',
  '06': 'Identificación fiscal Emisor/obligado',
  '07': 'Identificación fiscal Receptor',
  '08': 'Domicilio Emisor/Obligado',
  '09': 'Domicilio Receptor',
  '10': 'Detalle Operación',
  '11': 'Porcentaje impositivo a aplicar',
  '12': 'Cuota tributaria a aplicar',
  '13': 'Fecha/Periodo a aplicar',
  '14': 'Clase de factura',
  '15': 'Literales legales',
  '16': 'Base imponible',
  '80': 'Cálculo de cuotas repercutidas',
  '81': 'Cálculo de cuotas retenidas',
  '82': 'Base imponible modificada por devolución de envases / embalajes',
  '83': 'Base imponible modificada por descuentos y bonificaciones',
  '84': 'Base imponible modificada por resolución firme, judicial o administrativa',
  '85': 'Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso',
} as const;

/** Whether a rectifying invoice states all that the other should have charged, or the difference. */
export const CORRECTION_METHODS = {
  substitution: { code: '01', text: 'Rectificación íntegra' },
  differences: { code: '02', text: 'Rectificación por diferencias' },
} as const satisfies Record<RectificationMethod, object>;
