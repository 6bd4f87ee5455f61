/** Units of measure in invoices as data, by the codes that companies usually give them. */

interface Unit {
  readonly names: readonly string[];
  /** UnitOfMeasureType of Facturae 3.2.2. */
  readonly facturae: string;
  /** UN/ECE recommendation 20. */
  readonly unece: string;
}

const UNITS: readonly Unit[] = [
  { names: ['UD', 'UDS', 'UN', 'U', 'UNIDAD', 'UNIT', 'PCS', 'PZ', 'C62', 'H87', 'EA'], facturae: '01', unece: 'C62' },
  { names: ['H', 'HR', 'HORA', 'HORAS', 'HOUR', 'HUR'], facturae: '02', unece: 'HUR' },
  { names: ['KG', 'KGM', 'KILO'], facturae: '03', unece: 'KGM' },
  { names: ['L', 'LT', 'LTR', 'LITRO'], facturae: '04', unece: 'LTR' },
  { names: ['CAJA', 'CJ', 'BOX', 'XBX'], facturae: '06', unece: 'XBX' },
  { names: ['CM', 'CMT'], facturae: '16', unece: 'CMT' },
  { names: ['DOC', 'DOCENA', 'DZN'], facturae: '18', unece: 'DZN' },
  { names: ['G', 'GR', 'GRM'], facturae: '21', unece: 'GRM' },
  { names: ['KM', 'KMT'], facturae: '22', unece: 'KMT' },
  { names: ['M', 'MTR', 'METRO'], facturae: '25', unece: 'MTR' },
  { names: ['MM', 'MMT'], facturae: '26', unece: 'MMT' },
  { names: ['PAQ', 'PQ', 'PAQUETE', 'XPK'], facturae: '28', unece: 'XPK' },
  { names: ['M3', 'MTQ'], facturae: '33', unece: 'MTQ' },
  { names: ['KWH'], facturae: '36', unece: 'KWH' },
];
const OTHER: Pick<Unit, 'facturae' | 'unece'> = { facturae: '05', unece: 'C62' };
const BY_NAME = new Map(UNITS.flatMap((unit) => unit.names.map((name) => [name, unit] as const)));

/** The codes of a unit; null is one piece. */
export function unitCodes(name: string | null): Pick<Unit, 'facturae' | 'unece'> {
  return BY_NAME.get(name?.toUpperCase().replace(/\.$/, '') ?? 'UD') ?? OTHER;
}
