/** Meanings of columns in banks' tables. */

export const COLUMN_NAMES = [
  'account',
  'date',
  'value_date',
  'amount',
  'sign',
  'debit',
  'credit',
  'balance',
  'currency',
  'text',
  'reference',
  'bank_reference',
  'counterparty_name',
  'counterparty_iban',
  'end_to_end_id',
] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

/** Titles in Spanish and English, without accents, case, blanks and punctuation. */
const TITLES: Readonly<Record<ColumnName, readonly string[]>> = {
  account: ['account', 'accountnumber', 'accountiban', 'cuenta', 'numerodecuenta', 'ncuenta', 'iban', 'cuentaiban'],
  date: [
    ...['date', 'bookingdate', 'bookeddate', 'transactiondate', 'postingdate', 'operationdate', 'entrydate'],
    ...['fecha', 'fechaoperacion', 'fechadeoperacion', 'foperacion', 'fechaoper', 'fechacontable', 'fcontable'],
    ...['fechamovimiento', 'fechadelmovimiento', 'fechaapunte', 'foper'],
  ],
  value_date: ['valuedate', 'value', 'valuta', 'fechavalor', 'fechadevalor', 'fvalor', 'fecvalor'],
  amount: [
    'amount',
    'transactionamount',
    'importe',
    'importeeur',
    'importeoperacion',
    'cantidad',
    'monto',
    'amounteur',
  ],
  sign: [
    ...['dh', 'hd', 'cd', 'dc', 'ca', 'ac', 'crdr', 'drcr', 'debehaber', 'haberdebe', 'cargoabono', 'abonocargo'],
    ...['debitcredit', 'creditdebit', 'debitorcredit', 'debitocredito', 'creditodebito', 'ingresogasto'],
    ...['entradasalida', 'signo', 'sign', 'signoimporte', 'signodelimporte', 'indicadordebehaber', 'cdtdbtind'],
  ],
  debit: [
    'debit',
    'debits',
    'debitamount',
    'withdrawal',
    'withdrawals',
    'paidout',
    'moneyout',
    'cargo',
    'cargos',
    'debe',
    'gasto',
    'gastos',
    'adeudo',
  ],
  credit: [
    'credit',
    'credits',
    'creditamount',
    'deposit',
    'deposits',
    'paidin',
    'moneyin',
    'abono',
    'abonos',
    'haber',
    'ingreso',
    'ingresos',
  ],
  balance: [
    'balance',
    'runningbalance',
    'balanceafter',
    'balanceeur',
    'saldo',
    'saldoeur',
    'saldocontable',
    'saldoposterior',
    'saldofinal',
  ],
  currency: ['currency', 'currencycode', 'ccy', 'divisa', 'moneda', 'divisacuenta'],
  text: [
    'text',
    'description',
    'details',
    'narrative',
    'memo',
    'particulars',
    'remittanceinformation',
    'concepto',
    'descripcion',
    'detalle',
    'movimiento',
    'masdatos',
    'observaciones',
    'conceptoampliado',
  ],
  reference: [
    'reference',
    'paymentreference',
    'customerreference',
    'ref',
    'referencia',
    'referencia1',
    'refcliente',
    'documento',
    'numerodocumento',
    'ndocumento',
  ],
  bank_reference: [
    'bankreference',
    'bankref',
    'transactionid',
    'transactionreference',
    'id',
    'referenciabanco',
    'referenciabancaria',
    'refbanco',
    'idmovimiento',
    'idtransaccion',
    'numerodeoperacion',
    'noperacion',
    'nmovimiento',
    'numeromovimiento',
  ],
  counterparty_name: [
    'counterparty',
    'counterpartyname',
    'name',
    'payee',
    'payer',
    'beneficiary',
    'partner',
    'contraparte',
    'nombrecontraparte',
    'beneficiario',
    'ordenante',
    'ordenantebeneficiario',
    'beneficiarioordenante',
    'nombre',
    'tercero',
  ],
  counterparty_iban: [
    'counterpartyiban',
    'counterpartyaccount',
    'payeeiban',
    'ibancontraparte',
    'cuentacontraparte',
    'ibanbeneficiario',
    'ibanordenante',
    'cuentabeneficiario',
  ],
  end_to_end_id: ['endtoendid', 'endtoendreference', 'e2eid', 'endtoend', 'referenciaendtoend', 'idextremoaextremo'],
};

/** A title that consists of signs: +/−. */
const SIGNS = /^[+\-−–/ ]*[+\-−–][+\-−–/ ]*$/;

const BY_TITLE: ReadonlyMap<string, ColumnName> = new Map(
  Object.entries(TITLES).flatMap(([name, titles]) => titles.map((title) => [title, name as ColumnName])),
);

/** Finds the meaning of a title; undefined if unknown. */
export function columnMeaning(title: string): ColumnName | undefined {
  return SIGNS.test(title.slice(0, 20)) ? 'sign' : BY_TITLE.get(normalTitle(title));
}

/** Removes accents, case, blanks and punctuation from a title. */
export function normalTitle(title: string): string {
  return title
    .slice(0, 100)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
