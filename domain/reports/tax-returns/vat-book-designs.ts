/**
 * The columns of the VAT books in the tax agency's common format (Formato electrónico común de los libros registro del IVA e IRPF, 18
 * February 2026), which also has those of the income tax and others that stay empty here (decision 0326).
 */

/** A column: two headings, its type in the words of the design, and the member of a line that it shows, if any. */
export interface DesignColumn {
  readonly group: string;
  readonly title: string;
  readonly type: string;
  readonly member: string | null;
}

export interface BookDesign {
  readonly sheet: string;
  /** The letter of the book in the names of files. */
  readonly letter: 'E' | 'R' | 'S';
  readonly columns: readonly DesignColumn[];
}

export const YEAR = 'Decimal (4,0)';
const MONEY = 'Decimal(12,2)';
const PERCENT = 'Decimal(4,2)';
const SHARE = 'Decimal(5,2)';
export const DAY = 'Fecha(dd/mm/yyyy)';
const text = (length: number) => `Alfanumérico (${length})`;

type Sub = readonly [title: string, type: string, member?: string];

/** Columns below a common heading. */
function group(heading: string, ...columns: readonly Sub[]): DesignColumn[] {
  return columns.map(([title, type, member = null]) => ({ group: heading, title, type, member }));
}

/** A column with a heading of its own. */
function one(heading: string, type: string, member?: string): DesignColumn[] {
  return [{ group: heading, title: '', type, member: member ?? null }];
}

const PERIOD = group('Autoliquidación', ['Ejercicio', YEAR, 'year'], ['Periodo', text(2), 'period']);
const ACTIVITY = group('Actividad', ['Código', text(1)], ['Tipo', text(2)], ['Grupo o Epígrafe del IAE', text(4)]);
const identity = (heading: string) =>
  group(
    heading,
    ['Tipo', text(2), 'id_type'],
    ['Código País', text(2), 'country'],
    ['Identificación', text(20), 'nif'],
  );
const CASH = '(Operación Criterio de Caja de IVA y/o artículo 7.2.1º de Reglamento del IRPF)';
const settled = (heading: string) =>
  group(
    `${heading} ${CASH}`,
    ['Fecha', DAY, 'settled_on'],
    ['Importe', MONEY, 'settled'],
    ['Medio Utilizado', text(2), 'means'],
    ['Identificación Medio Utilizado', text(34), 'settled_through'],
  );
const INCOME_TAX = [...one('Tipo Retención del IRPF', PERCENT), ...one('Importe Retenido del IRPF', MONEY)];
const LAST = [
  ...one('Registro Acuerdo Facturación', text(15)),
  ...group('Inmueble', ['Situación', text(1)], ['Referencia Catastral', text(20)]),
  ...one('Referencia Externa', text(40), 'reference'),
];

export const ISSUED_DESIGN: BookDesign = {
  sheet: 'EXPEDIDAS',
  letter: 'E',
  columns: [
    ...PERIOD,
    ...ACTIVITY,
    ...one('Tipo de Factura', text(2), 'invoice_type'),
    ...one('Concepto de Ingreso', text(3)),
    ...one('Ingreso Computable', MONEY),
    ...one('Fecha Expedición', DAY, 'issued_on'),
    ...one('Fecha Operación', DAY, 'operation_date'),
    ...group(
      'Identificación de la Factura',
      ['Serie', text(20), 'series'],
      ['Número', text(20), 'number'],
      ['Número-Final', text(20)],
    ),
    ...identity('NIF Destinatario'),
    ...one('Nombre Destinatario', text(40), 'partner_name'),
    ...one('Clave de Operación', text(2), 'operation_key'),
    ...one('Calificación de la Operación', text(2), 'qualification'),
    ...one('Operación Exenta', text(2), 'exemption'),
    ...one('Total Factura', MONEY, 'total'),
    ...one('Base Imponible', MONEY, 'base'),
    ...one('Tipo de IVA', PERCENT, 'rate'),
    ...one('Cuota IVA Repercutida', MONEY, 'amount'),
    ...one('Tipo de Recargo Eq.', PERCENT, 'surcharge_rate'),
    ...one('Cuota Recargo Eq.', MONEY, 'surcharge'),
    ...settled('Cobro'),
    ...INCOME_TAX,
    ...LAST,
  ],
};

export const RECEIVED_DESIGN: BookDesign = {
  sheet: 'RECIBIDAS',
  letter: 'R',
  columns: [
    ...PERIOD,
    ...ACTIVITY,
    ...one('Tipo de Factura', text(2), 'invoice_type'),
    ...one('Concepto de Gasto', text(3)),
    ...one('Gasto Deducible', MONEY),
    ...one('Fecha Expedición', DAY, 'issued_on'),
    ...one('Fecha Operación', DAY, 'operation_date'),
    ...group(
      'Identificación Factura del Expedidor',
      ['(Serie-Número)', text(40), 'number'],
      ['Número-Final', text(20)],
    ),
    ...one('Fecha Recepción', DAY, 'received_on'),
    ...one('Número Recepción', text(20), 'reception_number'),
    ...one('Número Recepción Final', text(20)),
    ...identity('NIF Expedidor'),
    ...one('Nombre Expedidor', text(40), 'partner_name'),
    ...one('Clave de Operación', text(2), 'operation_key'),
    ...one('Bien de Inversión', text(1), 'investment'),
    ...one('Inversión del Sujeto Pasivo', text(1), 'reverse_charge'),
    ...one('Deducible en Periodo Posterior', text(1)),
    ...group('Periodo Deducción', ['Ejercicio', YEAR], ['Periodo', text(2)]),
    ...one('Total Factura', MONEY, 'total'),
    ...one('Base Imponible', MONEY, 'base'),
    ...one('Tipo de IVA', PERCENT, 'rate'),
    ...one('Cuota IVA Soportado', MONEY, 'amount'),
    ...one('Cuota Deducible', MONEY, 'deductible'),
    ...one('Tipo de Recargo Eq.', PERCENT),
    ...one('Cuota Recargo Eq.', MONEY),
    ...settled('Pago'),
    ...INCOME_TAX,
    ...LAST,
  ],
};

export const INVESTMENT_DESIGN: BookDesign = {
  sheet: 'BIENES-INVERSIÓN',
  letter: 'S',
  columns: [
    ...PERIOD,
    ...ACTIVITY,
    ...one('Tipo de Bien', text(2), 'good_type'),
    ...group('Descripción del Bien', ['Identificador', text(40), 'identifier'], ['Literal', text(160), 'description']),
    ...one('Fecha Inicio Utilización', DAY, 'in_use_on'),
    ...one('Valor Adquisición', MONEY),
    ...one('Valor Amortizable', MONEY),
    ...one('Método de Amortización', text(2)),
    ...one('Porcentaje de Amortización', PERCENT),
    ...group(
      'Amortización',
      ['Acumulada al Inicio', MONEY],
      ['Cuota Resultante', MONEY],
      ['Acumulada al final', MONEY],
      ['Pendiente', MONEY],
    ),
    ...one('Fecha Expedición', DAY, 'issued_on'),
    ...group(
      'Identificación Factura del Expedidor',
      ['(Serie-Número)', text(40), 'number'],
      ['Número-Final', text(20)],
    ),
    ...one('Número Recepción', text(20), 'reception_number'),
    ...one('Número Recepción Final', text(20)),
    ...identity('NIF Expedidor'),
    ...one('Nombre Expedidor', text(40), 'partner_name'),
    ...group(
      'Año de Inicio Utilización',
      ['Base Imponible', MONEY, 'base'],
      ['Tipo de IVA', PERCENT, 'rate'],
      ['Prorrata Definitiva', SHARE, 'percent'],
      ['Cuota Deducible', MONEY, 'deductible'],
    ),
    ...group(
      'Regularización',
      ['Prorrata Definitiva', SHARE, 'regularised_percent'],
      ['Cuota Deducible', MONEY, 'regularised_deductible'],
      ['Cuota a Regularizar', MONEY, 'regularised'],
    ),
    ...group('Baja del Bien', ['Fecha', DAY, 'sold_on'], ['Causa', text(2)]),
    ...group(
      'Identificación Factura Transmisión',
      ['Serie', text(20)],
      ['Número', text(20)],
      ['Número-Final', text(20)],
    ),
    ...LAST,
  ],
};
