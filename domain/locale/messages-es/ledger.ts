import type { Catalogue } from '../catalogue.ts';

/** Spanish messages about periods, entries, tax returns and Veri*factu. */
export const LEDGER: Catalogue = [
  [
    'must be oss_goods or oss_services with a tax of another member state, and only then',
    'debe ser oss_goods u oss_services con un impuesto de otro Estado miembro, y solo entonces',
  ],
  ['is the code of an account above', 'es el código de una cuenta anterior'],
  ['must be the code of a heading', 'debe ser el código de una cuenta de título'],
  ['must be given, or else accounts, and not both', 'debe indicarse, o bien accounts, y no ambos'],
  [
    'The company cannot follow {1} because it has entries on accounts of {2}',
    'La empresa no puede seguir {1} porque tiene asientos en cuentas de {2}',
  ],
  [
    "must be {1}, the company's chart; POST /api/accounts/import-chart brings another one",
    'debe ser {1}, el plan de la empresa; POST /api/accounts/import-chart trae otro',
  ],
  ['This fiscal year, as one that has been closed,', 'Este ejercicio, como ejercicio ya cerrado,'],
  [
    'Only an owner or administrator can reopen a fiscal year',
    'Solo un propietario o administrador puede reabrir un ejercicio',
  ],
  ['a record has no known state', 'un registro no tiene un estado conocido'],
  ['it is no answer to a message', 'no es la respuesta a un mensaje'],
  ['it is not XML', 'no es XML'],
  [
    'cannot be taxed at {1} % because no such rate of VAT is in force',
    'no puede gravarse al {1} % porque no está en vigor ese tipo de IVA',
  ],
  [
    'cannot have a surcharge of {1} % with {2} % because the law has no such pair',
    'no puede tener un recargo del {1} % con el {2} % porque la ley no conoce ese par',
  ],
  [
    'must have the VAT number of another member of the European Union for an intra-EU supply',
    'debe tener el NIF-IVA de otro miembro de la Unión Europea para una entrega intracomunitaria',
  ],
  [
    'cannot be taxed in more than {1} ways; divide it into several invoices',
    'no puede gravarse de más de {1} maneras; divídala en varias facturas',
  ],
  [
    'makes the number {1}, which must have at most {2} letters without accents, digits and signs, and none of " \' < > =; change prefix and suffix of the series',
    'da el número {1}, que debe tener como mucho {2} letras sin tilde, cifras y signos, y ninguno de " \' < > =; cambie prefijo y sufijo de la serie',
  ],
  ['must not be after today, {1}', 'no debe ser posterior a hoy, {1}'],
  ['must not be before {1}', 'no debe ser anterior a {1}'],
  ['must be after date', 'debe ser posterior a date'],
  ['must not be more than 20 years ago', 'no debe ser de hace más de 20 años'],
  [
    'must have a tax id because the invoice is of more than {1}, so that it cannot be simplified',
    'debe tener NIF porque la factura supera {1}, así que no puede ser simplificada',
  ],
  [
    'must have a tax id because the invoice that is rectified names one',
    'debe tener NIF porque la factura que se rectifica nombra uno',
  ],
  ['must have a tax id of at most {1} characters', 'debe tener un NIF de {1} caracteres como mucho'],
  [
    'cannot be posted because the company has no address with a town: PUT /api/company',
    'no se puede contabilizar porque la empresa no tiene dirección con localidad: PUT /api/company',
  ],
  [
    'must have street and city because the invoice is not a simplified one',
    'debe tener calle y localidad porque la factura no es simplificada',
  ],
  [
    'there is no account {1}: set {2} in /api/config/accounting',
    'no hay cuenta {1}: indique {2} en /api/config/accounting',
  ],
  [
    'account {1} cannot receive the result of the year because it is of type {2}',
    'la cuenta {1} no puede recibir el resultado del ejercicio porque es de tipo {2}',
  ],
  ['refers to a period that does not exist', 'remite a un periodo que no existe'],
  ['must be within the period {1} ({2} to {3})', 'debe estar dentro del periodo {1} ({2} a {3})'],
  [
    'must be the first day of a fiscal year, because an opening entry opens it',
    'debe ser el primer día de un ejercicio, porque lo abre un asiento de apertura',
  ],
  ['are not balanced: debit {1}, credit {2}', 'no están cuadradas: debe {1}, haber {2}'],
  [
    "is allowed only with a partner, on a partner's account (40, 41, 43, 44)",
    'solo se permite con un tercero, en una cuenta de terceros (40, 41, 43, 44)',
  ],
  ['give the rate, or the tax group that has it', 'dé el tipo, o el grupo de impuestos que lo tiene'],
  ['{1} % of it is not the amount of the line, {2}', 'el {1} % de ello no es el importe de la línea, {2}'],
  ['account {1} is a heading', 'la cuenta {1} es un título'],
  [
    'is required because account {1} requires a cost center',
    'es obligatorio porque la cuenta {1} exige un centro de coste',
  ],
  ['is required because account {1} requires a project', 'es obligatorio porque la cuenta {1} exige un proyecto'],
  [
    'account {1} requires a cost center: set defaultCostCenterId in /api/config/accounting',
    'la cuenta {1} exige un centro de coste: indique defaultCostCenterId en /api/config/accounting',
  ],
  [
    'account {1} requires a project: set defaultProjectId in /api/config/accounting',
    'la cuenta {1} exige un proyecto: indique defaultProjectId en /api/config/accounting',
  ],
  [
    'refers to cost center {1}, which is inactive: name another, or make it active again',
    'se refiere al centro de coste {1}, que está inactivo: indique otro o vuelva a activarlo',
  ],
  [
    'refers to project {1}, which is closed: name another, or make it active again',
    'se refiere al proyecto {1}, que está cerrado: indique otro o vuelva a activarlo',
  ],
  ['account {1} is inactive', 'la cuenta {1} está inactiva'],
  ['refers to a {1} that does not exist', 'remite a un registro ({1}) que no existe'],
  ['refers to an inactive {1}', 'remite a un registro inactivo ({1})'],
  ['give a debit or a credit greater than zero', 'dé un debe o un haber mayor que cero'],
  ['must not have both a debit and a credit', 'no debe tener a la vez debe y haber'],
  ['must be greater than zero: use the other side', 'debe ser mayor que cero: use el otro lado'],
  ['must have at most {1} decimals', 'debe tener como mucho {1} decimales'],
  ['The fiscal year {1} is not closed', 'El ejercicio {1} no está cerrado'],
  ['The fiscal year {1} is closed; reopen that first', 'El ejercicio {1} está cerrado; reábralo antes'],
  [
    'Since it was closed, the next year has {1} {2} on account {3}',
    'Desde que se cerró, el ejercicio siguiente tiene {1} asientos en la cuenta {3}',
  ],
  ['Period {1} is closed; reopen it first', 'El periodo {1} está cerrado; reábralo antes'],
  ['The fiscal year {1} is already closed', 'El ejercicio {1} ya está cerrado'],
  ['period {1} reaches beyond the end of the year, {2}', 'el periodo {1} va más allá del fin del ejercicio, {2}'],
  ['must not be before the date of what it undoes, {1}', 'no debe ser anterior a la fecha de lo que deshace, {1}'],
  [
    'An earlier fiscal year is not closed and has entries until {1}; close it first',
    'Un ejercicio anterior no está cerrado y tiene asientos hasta {1}; ciérrelo antes',
  ],
  ['{1} is not over: its pro rata is still provisional', '{1} no ha terminado: su prorrata aún es provisional'],
  ['It cannot be sold because it is sold already', 'No se puede vender porque ya está vendido'],
  ['must not be before it was bought, {1}', 'no debe ser anterior a su compra, {1}'],
  ['It is not regularised any more: its years ended with {1}', 'Ya no se regulariza: sus años terminaron con {1}'],
  [
    'It cannot be sold in {1} because that year is regularised already',
    'No se puede vender en {1} porque ese año ya está regularizado',
  ],
  ['must be given: no more than this is deducted', 'debe indicarse: no se deduce más que eso'],
  ['is allowed only for a taxed sale', 'solo se permite en una venta gravada'],
  ['Waiting to accrue VAT of the cash basis on {1}', 'Esperando para devengar el IVA de criterio de caja a {1}'],
  ['VAT of {1} accrued on {2}', 'IVA de {1} devengado a {2}'],
  ['must be over: what is pending accrues on {1}', 'debe haber terminado: lo pendiente se devenga el {1}'],
  [
    'Tax of the cash basis is pending that accrues by {1}; accrue it first (POST /api/tax-accruals)',
    'Hay impuesto del criterio de caja pendiente que se devenga como tarde el {1}; devénguelo antes (POST /api/tax-accruals)',
  ],
  [
    'The pro rata of {1} is provisional; regularise it first (POST /api/pro-rata/{2})',
    'La prorrata de {1} es provisional; regularícela antes (POST /api/pro-rata/{2})',
  ],
  [
    'no accounting period contains the date {1}; only the years next to the current one open automatically: generate the periods of its year first (POST /api/periods/generate)',
    'ningún periodo contable contiene la fecha {1}; solo los años vecinos al actual se abren solos: genere antes los periodos de su año (POST /api/periods/generate)',
  ],
  [
    'Period {1} cannot begin before the end of the fiscal year {2} because that year is closed; reopen the year first',
    'El periodo {1} no puede empezar antes del fin del ejercicio {2} porque ese ejercicio está cerrado; reábralo antes',
  ],
  ['{1} of this period have dates outside the new dates', '{1} de este periodo tienen fechas fuera de las nuevas'],
  [
    'Period {1} cannot be closed because it has {2}{3}; post or delete them first',
    'El periodo {1} no se puede cerrar porque tiene {2}{3}; contabilícelos o bórrelos antes',
  ],
  ['must not be before from', 'no debe ser anterior a from'],
  [
    'Only an owner or administrator can reopen a period',
    'Solo un propietario o administrador puede reabrir un periodo',
  ],
  [
    'The days of period {1} cannot be changed because it is closed; reopen it first',
    'Los días del periodo {1} no se pueden cambiar porque está cerrado; reábralo antes',
  ],
  [
    'Period {1} cannot be deleted because it is closed; reopen it first',
    'El periodo {1} no se puede borrar porque está cerrado; reábralo antes',
  ],
  ['Model {1} of {2} is filed too; undo that first', 'El modelo {1} de {2} también está presentado; deshaga antes eso'],
  ['must be a period of model {1}: {2}', 'debe ser un periodo del modelo {1}: {2}'],
  [
    'Model {1} of {2} {3} is rectified; undo that first',
    'El modelo {1} de {2} {3} está rectificado; deshaga antes eso',
  ],
  ['is only for models 303 and 420', 'es solo para los modelos 303 y 420'],
  [
    'is only for the last period of a year (4T or 12), or for any month if monthlyRefunds of /api/config/tax is true',
    'es solo para el último periodo de un año (4T o 12), o para cualquier mes si monthlyRefunds de /api/config/tax es true',
  ],
  ['must be left out, because only model 303 asks for it', 'debe omitirse, porque solo lo pide el modelo 303'],
  [
    'must be left out, because only periods from 2024 3T or 09 on can be rectified by another return',
    'debe omitirse, porque solo los periodos desde 2024 3T o 09 se pueden rectificar con otra autoliquidación',
  ],
  [
    'must be left out, because model {1} corrects earlier periods in later ones',
    'debe omitirse, porque el modelo {1} corrige los periodos anteriores en los siguientes',
  ],
  ['must be left out, because {1} is not filed yet', 'debe omitirse, porque {1} no está presentado todavía'],
  ['{1} with the receipt number {2} is rectified already', '{1} con el número de justificante {2} ya está rectificado'],
  [
    'cannot be filed because nothing is to be paid in addition: ask the agency to rectify the return, then undo it and file it again',
    'no se puede presentar porque no hay nada más que ingresar: pida a la agencia que rectifique la declaración, y después deshágala y preséntela de nuevo',
  ],
  [
    'must be between 0 and box 70, and not above what box 71 is below 0',
    'debe estar entre 0 y la casilla 70, y no ser mayor que lo que la casilla 71 está por debajo de 0',
  ],
  ['must be a box of model {1} that can be stated', 'debe ser una casilla del modelo {1} que se pueda indicar'],
  ['must be a number of people', 'debe ser un número de personas'],
  ['must not be before the end of the period, {1}', 'no debe ser anterior al fin del periodo, {1}'],
  [
    'cannot be filed because it is not over before {1} has passed',
    'no se puede presentar porque no termina hasta que pase el {1}',
  ],
  [
    'cannot be filed because it is of {1}, and the company charges {2}',
    'no se puede presentar porque es del {1}, y la empresa repercute {2}',
  ],
  [
    'cannot be filed because it is Spanish, and the company is in {1}',
    'no se puede presentar porque es español, y la empresa está en {1}',
  ],
  [
    'cannot be filed because companies pay corporate tax instead',
    'no se puede presentar porque las sociedades pagan el impuesto sobre sociedades',
  ],
  [
    '{1} is already filed; to correct it, state its receipt number in rectification',
    '{1} ya está presentado; para corregirlo, indique su número de justificante en rectification',
  ],
  ['{1} is filed already, and comes later', '{1} ya está presentado, y viene después'],
  ['{1} is filed already, and has some of the same days', '{1} ya está presentado, y tiene algunos de los mismos días'],
  ['must be between 0 and box 110, {1}', 'debe estar entre 0 y la casilla 110, {1}'],
  ['must be a percentage between 0 and 100', 'debe ser un porcentaje entre 0 y 100'],
  ['must not be below 0', 'no debe ser menor que 0'],
  [
    "Model {1} of {2} must be filed to its last period first, because model {3} adds up the year's returns",
    'El modelo {1} de {2} debe presentarse antes hasta su último periodo, porque el modelo {3} suma las declaraciones del año',
  ],
  [
    'Model {1} of {2} is filed too, and adds it up; undo that first',
    'El modelo {1} de {2} también está presentado, y la suma; deshaga antes eso',
  ],
  [
    'must be left out, because nothing has changed since the return in force',
    'debe omitirse, porque nada ha cambiado desde la declaración vigente',
  ],
  [
    'Model {1} of {2} {3} must be filed first, because returns of a model are filed in order{4}',
    'El modelo {1} de {2} {3} debe presentarse antes, porque las declaraciones de un modelo se presentan en orden{4}',
  ],
  [
    'PUT /api/config/verifactu again, and its records begin a chain of their own',
    'PUT /api/config/verifactu de nuevo, y sus registros empiezan una cadena propia',
  ],
  [
    'cannot be posted because the tax id of the company changed: {1}',
    'no se puede contabilizar porque el NIF de la empresa cambió: {1}',
  ],
  ['The certificate', 'El certificado'],
  ['has expired on {1}', 'ha caducado el {1}'],
  ['is valid only from {1}', 'es válido solo desde {1}'],
  [
    'takes too long to decrypt; export the certificate again, with fewer iterations',
    'tarda demasiado en descifrarse; exporte el certificado de nuevo, con menos iteraciones',
  ],
  ['The declaration (VERIFACTU_DECLARED_ON)', 'La declaración (VERIFACTU_DECLARED_ON)'],
  [
    'the company makes no records: PUT /api/config/verifactu',
    'la empresa no hace registros: PUT /api/config/verifactu',
  ],
  [
    'the chain already has records of its own, which never change',
    'la cadena ya tiene registros propios, que no cambian nunca',
  ],
  ['The record before cannot be stated because {1}', 'El registro anterior no se puede indicar porque {1}'],
  ['The agency answered with status {1}, and {2}', 'La agencia contestó con el estado {1}, y {2}'],
  [
    'Nothing can be resumed because no records wait to be sent',
    'No se puede reanudar nada porque ningún registro espera a enviarse',
  ],
  ['must be 31 December of this year or the last', 'debe ser el 31 de diciembre de este año o del pasado'],
  ['cannot be true because {1}', 'no puede ser true porque {1}'],
  [
    'Veri*factu cannot be turned off before the end of {1} because invoices of this year have records',
    'Veri*factu no se puede apagar antes del fin de {1} porque hay facturas de este año con registros',
  ],
  [
    'account {1} is inactive ({2} of /api/config/accounting)',
    'la cuenta {1} está inactiva ({2} de /api/config/accounting)',
  ],
  [
    'account {1} is a heading ({2} of /api/config/accounting)',
    'la cuenta {1} es un título ({2} de /api/config/accounting)',
  ],
  [
    'must contain an RSA key; export the certificate again, with its private key',
    'debe contener una clave RSA; exporte el certificado de nuevo, con su clave privada',
  ],
  ['is required with currencyAmount', 'es obligatorio con currencyAmount'],
  ['is required with currency', 'es obligatorio con currency'],
  ["must be another than {1}, the company's own currency", 'debe ser otra que {1}, la moneda de la propia empresa'],
  [
    "is not allowed because open items are in the company's currency",
    'no se permite porque las partidas abiertas están en la moneda de la empresa',
  ],
  [
    'Nothing that is open in other currencies has another value on {1}',
    'Nada de lo pendiente en otras monedas tiene otro valor el {1}',
  ],
  ['is required with serviceFrom', 'es obligatorio con serviceFrom'],
  ['is required with serviceTo', 'es obligatorio con serviceTo'],
  ['must not be before the first day of the service, {1}', 'no puede ser anterior al primer día del servicio, {1}'],
  [
    'must be within ten years of the first day of the service',
    'debe estar dentro de los diez años siguientes al primer día del servicio',
  ],
  [
    'cannot be given because the account of the line is neither one of income nor of expense',
    'no puede indicarse porque la cuenta de la línea no es de ingresos ni de gastos',
  ],
  [
    'is allowed only for services: goods in stock and assets are not spread over months',
    'solo se permite para servicios: las existencias y los activos no se reparten por meses',
  ],
  [
    'must not be before {1}, the end of a month that it enters',
    'no puede ser anterior al {1}, el final de un mes que contabiliza',
  ],
  ['must be at most {1}, the current month', 'debe ser como mucho {1}, el mes actual'],
  [
    'must be false because the budget is a draft; approve it first',
    'debe ser false porque el presupuesto es un borrador; apruébelo antes',
  ],
  [
    '{1} cannot be deleted because it is the current budget of {2}; make another one current first',
    '{1} no se puede eliminar porque es el presupuesto vigente de {2}; haga vigente otro antes',
  ],
  [
    'The lines of {1} cannot change because it is approved; copy it, or make it a draft again',
    'Las líneas de {1} no pueden cambiar porque está aprobado; cópielo o vuelva a hacerlo borrador',
  ],
  [
    'cannot be given because an opening entry is reversed on its own date only',
    'no se puede indicar porque un asiento de apertura solo se anula en su propia fecha',
  ],
  ['must not be before the date of the entry, {1}', 'no debe ser anterior a la fecha del asiento, {1}'],
  [
    'must have equal percentages on both sides: debit {1}, credit {2}',
    'debe tener los mismos porcentajes en ambos lados: debe {1}, haber {2}',
  ],
  [
    'must have equal amounts on both sides: debit {1}, credit {2}',
    'debe tener los mismos importes en ambos lados: debe {1}, haber {2}',
  ],
  ['line {1} of {2}: {3}', 'línea {1} de {2}: {3}'],
  ['is required unless amount is given', 'es obligatorio si no se indica amount'],
  ['cannot be given together with amount', 'no puede darse junto con amount'],
  [
    'No entry can be made by {1} because it is inactive; make it active first',
    'No se puede hacer ningún asiento con {1} porque está inactiva; actívela antes',
  ],
  ['is required because {1} has percentages of it', 'es obligatorio porque {1} tiene porcentajes de él'],
  ['cannot be given because {1} has amounts of its own', 'no se puede indicar porque {1} tiene importes propios'],
  ['{1} cannot be drawn because it is {2}', '{1} no se puede disponer porque su estado es {2}'],
  ['Nothing of {1} can be repaid because it is {2}', 'No se puede amortizar nada de {1} porque su estado es {2}'],
  ['{1} cannot be taken over because it is {2}', '{1} no se puede traspasar porque su estado es {2}'],
  ['must not be before {1}, the day of the drawing', 'no debe ser anterior al {1}, el día de la disposición'],
  ['must be before the last instalment', 'debe ser anterior a la última cuota'],
  ['must be at most the principal', 'debe ser como máximo el principal'],
  ['must be at most {1}, what is outstanding', 'debe ser como máximo {1}, lo pendiente'],
  [
    'must not be before {1}, the day of what was entered last',
    'no debe ser anterior al {1}, el día de lo último que se contabilizó',
  ],
  [
    'must not be after {1}, on which the loan has its next entry',
    'no debe ser posterior al {1}, día del siguiente asiento del préstamo',
  ],
  [
    'Nothing can be undone of {1} because nothing was entered',
    'No se puede deshacer nada de {1} porque no se ha contabilizado nada',
  ],
  [
    '{1} of {2} cannot be changed because it is {3}; undo its drawing first',
    '{1} de {2} no se puede cambiar porque su estado es {3}; deshaga antes su disposición',
  ],
  [
    '{1} cannot be deleted because entries were made for it',
    '{1} no se puede eliminar porque se han hecho asientos para él',
  ],
  ['must be after {1}, the day of the drawing', 'debe ser posterior al {1}, el día de la disposición'],
  [
    'must not be that of a bank account in {1}: loans are in {2}',
    'no puede ser la de una cuenta bancaria en {1}: los préstamos son en {2}',
  ],
  ['must be in the fiscal year {1} of the budget', 'debe estar en el ejercicio {1} del presupuesto'],
  [
    'must be the code of an account, or the beginning of one',
    'debe ser el código de una cuenta, o el principio de uno',
  ],
  [
    'The budget {1} of account {2} has {3} until {4}, and {5} would be spent',
    'El presupuesto {1} de la cuenta {2} tiene {3} hasta {4}, y se gastarían {5}',
  ],
  ['must be an account of type {1}: {2} is of type {3}', 'debe ser una cuenta de tipo {1}: la {2} es de tipo {3}'],
  [
    'account {1} cannot be of type {2} because {3} uses it; let that use another account first',
    'la cuenta {1} no puede ser de tipo {2} porque {3} la usa; haga antes que use otra cuenta',
  ],
  ['the bank account {1}', 'la cuenta bancaria {1}'],
  ['the partner group {1}', 'el grupo de terceros {1}'],
  ['the tax {1}', 'el impuesto {1}'],
  ['{1} of /api/config/accounting', '{1} de /api/config/accounting'],
  [
    'copy it (POST /api/budgets/{id}/copy), raise the copy and make it current (isDefault), or have it only warn (control)',
    'cópielo (POST /api/budgets/{id}/copy), aumente la copia y hágala vigente (isDefault), o haga que solo avise (control)',
  ],
  [
    'exceed the budget {1} of account {2} until {3}: {4} budgeted, {5} spent',
    'superan el presupuesto {1} de la cuenta {2} hasta {3}: {4} presupuestado, {5} gastado',
  ],
  [
    'The budget {1} of account {2} has {3} until {4}, and {5} would be spent or ordered',
    'El presupuesto {1} de la cuenta {2} tiene {3} hasta {4}, y se gastarían o pedirían {5}',
  ],
  [
    'exceed the budget {1} of account {2} until {3}: {4} budgeted, {5} spent and {6} ordered',
    'superan el presupuesto {1} de la cuenta {2} hasta {3}: {4} presupuestado, {5} gastado y {6} pedido',
  ],
];
