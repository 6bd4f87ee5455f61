import type { Catalogue } from '../catalogue.ts';

/** Spanish messages about reports and schedules. */
export const REPORTS: Catalogue = [
  [
    'Somebody has deleted the task that made this file; ask for it again',
    'Alguien ha borrado la tarea que hizo este archivo; pídalo de nuevo',
  ],
  ['The file could not be made; try again', 'No se pudo hacer el archivo; inténtelo de nuevo'],
  ['is allowed only with a format other than json', 'solo se permite con un formato distinto de json'],
  [
    'Summaries cannot be mailed: start the service with ENCRYPTION_KEY set',
    'No se pueden enviar resúmenes por correo: arranque el servicio con ENCRYPTION_KEY',
  ],
  [
    'The labor cost of a cost center or project is only for those who may read payrolls',
    'El coste laboral de un centro de coste o proyecto es solo para quienes pueden leer nóminas',
  ],
  ['Nothing is left to tell', 'No queda nada que contar'],
  ['choose a shorter period, csv or excel', 'elija un periodo más corto, csv o excel'],
  [
    'choose a shorter period, csv, excel or the zip of {1}, which has it in parts',
    'elija un periodo más corto, csv, excel o el zip de {1}, que lo tiene en partes',
  ],
  ['choose excel or the zip of {1}, which has it in parts', 'elija excel o el zip de {1}, que lo tiene en partes'],
  ['choose csv or excel', 'elija csv o excel'],
  ['cannot be pdf because there are more than {1} rows; {2}', 'no puede ser pdf porque hay más de {1} filas; {2}'],
  ['The file would be larger than 100 MB; {1}', 'El archivo superaría 100 MB; {1}'],
  ['choose a shorter period', 'elija un periodo más corto'],
  ['get it as csv at once, which has no limit', 'pídalo directamente como csv, que no tiene límite'],
  [
    'The files would be larger than 100 MB together; leave some of them out',
    'Los archivos superarían juntos 100 MB; omita alguno',
  ],
  ['The file {1} is ready', 'El archivo {1} está listo'],
  ['Waiting to make the report {1}', 'Esperando para hacer el informe {1}'],
  ['Page {1}', 'Página {1}'],
  ['Waiting to print {1}', 'Esperando para imprimir {1}'],
  [
    'must make at most {1} columns; choose a shorter period, or name one of them',
    'debe formar como máximo {1} columnas; elija un periodo más corto, o indique una de ellas',
  ],
  [
    'must make at most {1} columns; choose a shorter period or longer columns',
    'debe dar como máximo {1} columnas; elija un periodo más corto o columnas más largas',
  ],
  [
    'There is no cash flow statement because the chart of accounts is not one of Spain',
    'No hay estado de flujos de efectivo porque el plan de cuentas no es de España',
  ],
  [
    'Only its owner can change this schedule, because the report holds data of other companies',
    'Solo puede cambiar esta programación quien la hizo, porque el informe contiene datos de otras empresas',
  ],
  [
    'Consolidated reports are made for people, because an API key or plugin belongs to one company',
    'Los informes consolidados se hacen para personas, porque una clave de API o un complemento es de una sola empresa',
  ],
  [
    'You need the right to read accounting reports in {1}, too',
    'Necesita el permiso de ver informes contables también en {1}',
  ],
  ['{1} has not agreed to be consolidated; {2}', '{1} no ha aceptado que se la consolide; {2}'],
  [
    'an administrator of it agrees with POST /api/parent-companies',
    'la acepta un administrador suyo con POST /api/parent-companies',
  ],
  [
    '{1} cannot be consolidated because there is no rate of {2} for {3} or before; {4}',
    '{1} no se puede consolidar porque no hay ningún tipo de cambio de {2} para el {3} ni para antes; {4}',
  ],
  ['add one with POST /api/exchange-rates', 'añada uno con POST /api/exchange-rates'],
  [
    '{1} has accounts that stand on none of this company: {2}; {3}',
    '{1} tiene cuentas que no corresponden a ninguna de esta empresa: {2}; {3}',
  ],
  ['map them with POST /api/group-account-mappings', 'indique su correspondencia con POST /api/group-account-mappings'],
  ['must be month, quarter or year with budget_id', 'debe ser month, quarter o year con budget_id'],
  [
    'cannot be given with type=8col, which has its own columns',
    'no puede darse con type=8col, que tiene sus propias columnas',
  ],
  [
    'cannot be false with type=8col, which shows it in columns',
    'no puede ser false con type=8col, que lo muestra en columnas',
  ],
  [
    'must be in the fiscal year of to, {1}: a budget is of one',
    'debe estar en el ejercicio de to, {1}: un presupuesto es de uno',
  ],
  ['must not be more than ten years after from', 'no debe ser más de diez años posterior a from'],
  ['must not be more than two years after today', 'no debe ser más de dos años posterior a hoy'],
  [
    'must not be more than two years after from, or after today',
    'no debe ser más de dos años posterior a from, ni posterior a hoy',
  ],
  ['must name a report of this release, and names {1}', 'debe nombrar un informe de esta versión, y nombra {1}'],
  ['must leave at least {1} minutes between two runs', 'debe dejar al menos {1} minutos entre dos ejecuciones'],
  ['This schedule', 'Esta programación'],
  [
    'The schedule cannot run because its owner may not see the report; make one of your own',
    'La programación no se puede ejecutar porque su dueño no puede ver el informe; haga una propia',
  ],
  [
    'A company has at most {1} schedules; delete or change some',
    'Una empresa tiene como mucho {1} programaciones; borre o cambie alguna',
  ],
  ['cannot be added because there are already {1} schedules', 'no se puede añadir porque ya hay {1} programaciones'],
  [
    'must be given because the month has more than {1} time records',
    'debe darse porque el mes tiene más de {1} registros de jornada',
  ],
  [
    '{1}; choose a department instead, or read /api/time-records',
    '{1}; elija en su lugar un departamento, o lea /api/time-records',
  ],
  [
    'must be 2026 2T, 02 or later, because the file has the design of 2026',
    'debe ser 2026 2T, 02 o posterior, porque el archivo tiene el diseño de 2026',
  ],
  [
    'must be {1} or later, because the file has the current design',
    'debe ser {1} o posterior, porque el archivo tiene el diseño actual',
  ],
  [
    'cannot be aeat, because the agency demands a tax id, and of people in Spain a postal code: {1}',
    'no puede ser aeat, porque la agencia exige un NIF y, de personas en España, un código postal: {1}',
  ],
  ['must be a Spanish IBAN', 'debe ser un IBAN español'],
  [
    'must be of the province {1}, which the postal code of the company is of',
    'debe ser de la provincia {1}, que es la del código postal de la empresa',
  ],
  [
    'must be given, because the file names the municipality of the company',
    'debe indicarse, porque el fichero nombra el municipio de la empresa',
  ],
  [
    'cannot be atc, because the agency demands tax id, address and postal code of the company (/api/company)',
    'no puede ser atc, porque la agencia exige NIF, domicilio y código postal de la empresa (/api/company)',
  ],
  ['Model 200 needs a chart of accounts of Spain', 'El modelo 200 necesita un plan de cuentas de España'],
  [
    'cannot be aeat, because these amounts are below 0: {1}',
    'no puede ser aeat, porque estos importes son menores que 0: {1}',
  ],
  [
    'cannot be aeat before this is complete (data.missing has the records): {1}',
    'no puede ser aeat hasta que se complete esto (data.missing tiene los registros): {1}',
  ],
  [
    'cannot be aeat, because the return was filed without this; complete it, undo the return and file it again: {1}',
    'no puede ser aeat, porque la declaración se presentó sin esto; complételo, deshaga la declaración y preséntela de nuevo: {1}',
  ],
  [
    'Spanish tax models are for companies in Spain; the company is in {1}',
    'Los modelos fiscales españoles son para empresas de España; la empresa está en {1}',
  ],
  ['This model is of {1}, and the company charges {2}', 'Este modelo es del {1}, y la empresa repercute {2}'],
  ['must be given together with {1}, or neither of them', 'debe darse junto con {1}, o ninguno de los dos'],
  [
    'must be given, because the file of a refund has its bank account',
    'debe indicarse, porque el fichero de una devolución tiene su cuenta bancaria',
  ],
];
