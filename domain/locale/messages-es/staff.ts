import type { Catalogue } from '../catalogue.ts';

/** Spanish messages about payroll and time records. */
export const STAFF: Catalogue = [
  [
    'project {1} is closed but bears a part of the pay: change the cost shares of the employee, or make it active again',
    'el proyecto {1} está cerrado pero soporta parte de la paga: cambie el reparto de costes del empleado o vuelva a activarlo',
  ],
  [
    'cost center {1} is inactive but bears a part of the pay: change the cost shares of the employee, or make it active again',
    'el centro de coste {1} está inactivo pero soporta parte de la paga: cambie el reparto de costes del empleado o vuelva a activarlo',
  ],
  ['The payslip', 'La nómina'],
  [
    'The payslip is being made; open the link again in a minute',
    'La nómina se está haciendo; abra de nuevo el enlace dentro de un minuto',
  ],
  ['must not be in the future', 'no debe estar en el futuro'],
  ['must not be before `startedAt`', 'no debe ser anterior a `startedAt`'],
  [
    'must be given, and at most {1} hours after `startedAt`',
    'debe darse, y como mucho {1} horas después de `startedAt`',
  ],
  [
    'must be less than the time from `startedAt` to `endedAt`',
    'debe ser menor que el tiempo de `startedAt` a `endedAt`',
  ],
  ['It is already cancelled', 'Ya está cancelada'],
  [
    'It cannot be cancelled because it is paid; delete the payment, or have it returned, first',
    'No se puede cancelar porque está pagada; borre antes el pago, o haga que se devuelva',
  ],
  [
    'It cannot be {1} because it is posted; cancel it, and generate its month again',
    'No puede quedar {1} porque está contabilizada; cancélela, y genere de nuevo su mes',
  ],
  ['It cannot be {1} because it is cancelled', 'No puede quedar {1} porque está cancelada'],
  [
    'must not sum up to less than zero in a kind of payments: {1}',
    'no debe sumar menos de cero en un tipo de pagos: {1}',
  ],
  ['must earn something: the gross would be {1}', 'debe ganar algo: el bruto sería {1}'],
  ['must leave something to pay: the net would be {1}', 'debe dejar algo que pagar: el neto sería {1}'],
  ['Waiting to generate payrolls of {1}', 'Esperando para generar las nóminas de {1}'],
  ['must be in {1}', 'debe estar en {1}'],
  [
    'must be in a year whose rates are known: those of {1} are not',
    'debe estar en un año cuyos tipos se conozcan: los de {1} no',
  ],
  ['must not be after the last contract ends', 'no debe ser posterior al fin del último contrato'],
  [
    'no month without posted payroll has a contract with salary and contribution group',
    'ningún mes sin nómina contabilizada tiene un contrato con salario y grupo de cotización',
  ],
  [
    'The percentage cannot be computed because nothing more is paid to this employee in {1}: {2}',
    'El porcentaje no se puede calcular porque a este empleado no se le paga nada más en {1}: {2}',
  ],
  [
    'has no rates of social security in this release: payrolls of {1} cannot be worked out',
    'no tiene tipos de la seguridad social en esta versión: no se pueden calcular nóminas de {1}',
  ],
  ['is cancelled', 'está cancelada'],
  ['is paid already', 'ya está pagada'],
  ['has nothing to pay', 'no tiene nada que pagar'],
  ['refers to a payroll that does not exist', 'remite a una nómina que no existe'],
  [
    'Payslips cannot be mailed: start the service with ENCRYPTION_KEY set',
    'No se pueden enviar nóminas por correo: arranque el servicio con ENCRYPTION_KEY',
  ],
  ['No payroll of {1} is posted', 'Ninguna nómina de {1} está contabilizada'],
  ['Waiting to mail payslips of {1}', 'Esperando para enviar por correo las nóminas de {1}'],
  ['must name at most {1} employees, because there are more', 'debe nombrar como mucho {1} empleados, porque hay más'],
  ['has no payment; pay it first', 'no tiene pago; páguela antes'],
  ['is paid together with others by one payment', 'se paga junto con otras en un solo pago'],
  ['is of {1}, who had no valid IBAN when it was made', 'es de {1}, que no tenía IBAN válido cuando se hizo'],
  ['must be within the employment, {1}', 'debe estar dentro de la relación laboral, {1}'],
  [
    'It cannot be changed because it is cancelled; enter it again',
    'No se puede cambiar porque está cancelado; introdúzcalo de nuevo',
  ],
  [
    'They are clocked in since {1}; clock out first, or correct the end of that record',
    'Tiene la jornada iniciada desde {1}; ciérrela antes, o corrija el fin de ese registro',
  ],
  [
    'They are not clocked in; enter the record afterwards',
    'No tiene la jornada iniciada; introduzca el registro después',
  ],
  [
    'They clocked in more than a day ago, {1}; correct the end of that record',
    'Inició la jornada hace más de un día, {1}; corrija el fin de ese registro',
  ],
];
