import type { Catalogue } from '../catalogue.ts';

/** Spanish messages about fixed assets. */
export const ASSETS: Catalogue = [
  ['must be a line of a posted sales invoice', 'debe ser una línea de una factura de venta contabilizada'],
  [
    'needs {1} of the asset group {2}: set it there first',
    'necesita {1} del grupo de activos {2}: indíquela allí antes',
  ],
  [
    'must not be before {1}, up to which it is depreciated; undo the run first',
    'no puede ser anterior al {1}, hasta el que está amortizado; deshaga antes la amortización',
  ],
  [
    'must be given and go beyond {1}, when its useful life ended',
    'debe indicarse y pasar del {1}, cuando terminó su vida útil',
  ],
  ['must be above 0', 'debe ser mayor que 0'],
  ['must not be 0', 'no puede ser 0'],
  [
    'must leave the asset its residual value and a cost above 0',
    'debe dejar al activo su valor residual y un coste mayor que 0',
  ],
  ['must be at most {1}, the value in the books', 'debe ser como máximo {1}, el valor contable'],
  [
    'must be at most {1}, so that the asset is not worth more than without the impairment',
    'debe ser como máximo {1}, para que el activo no valga más que sin el deterioro',
  ],
  ['cannot be given because the asset was not sold', 'no se puede indicar porque el activo no se vendió'],
  ['cannot be given together with documentLineId', 'no se puede indicar junto con documentLineId'],
  [
    'Nothing can be undone of {1}: it was acquired, and nothing since',
    'No se puede deshacer nada de {1}: se adquirió, y nada después',
  ],
  [
    '{1} was depreciated by a run after that; undo the run first',
    '{1} se amortizó después; deshaga antes esa amortización',
  ],
  [
    '{1} cannot get its cost back because the purchase was credited since; cancel the credit first',
    '{1} no puede recuperar su coste porque la compra se abonó después; anule antes el abono',
  ],
  ['has nothing left to become an asset', 'no tiene nada que pueda ser un activo'],
  ['must be a line of a posted purchase invoice', 'debe ser una línea de una factura de compra contabilizada'],
  [
    'must be a line on the account of the group for the cost of its assets',
    'debe ser una línea en la cuenta del grupo para el coste de sus activos',
  ],
  ['is required because the group has none', 'es obligatorio porque el grupo no lo tiene'],
  ['is required unless the method is none', 'es obligatorio salvo que el método sea none'],
  ['must be a group with accounts of depreciation', 'debe ser un grupo con cuentas de amortización'],
  ['must not be before {1}, the date of the invoice', 'no puede ser anterior al {1}, la fecha de la factura'],
  ['must not be before acquiredOn, {1}', 'no puede ser anterior a acquiredOn, {1}'],
  ['must not be before inUseOn, {1}', 'no puede ser anterior a inUseOn, {1}'],
  ['must be at most the cost, {1}', 'debe ser como máximo el coste, {1}'],
  ['must be at most the cost less the residual value', 'debe ser como máximo el coste menos el valor residual'],
  ['cannot be given because the method is not declining', 'no se puede indicar porque el método no es declining'],
  ['cannot be given because the method is none', 'no se puede indicar porque el método es none'],
  [
    'is required with accumulated: the last day that it goes up to',
    'es obligatorio con accumulated: el último día que abarca',
  ],
  ['must go beyond {1}, the last day depreciated', 'debe pasar del {1}, el último día amortizado'],
  [
    '{1} cannot be changed because the group has assets, whose values are on it; make another group',
    '{1} no se puede cambiar porque el grupo tiene activos con valores en ella; cree otro grupo',
  ],
  ['{1} cannot be changed because it is disposed of', '{1} no se puede cambiar porque está dado de baja'],
  [
    '{1} cannot be changed because depreciation of {2} was entered; undo it first',
    '{1} no se puede cambiar porque hay amortización de {2} contabilizada; deshágala antes',
  ],
  [
    '{1} cannot be deleted because it has depreciation or other movements; dispose of it',
    '{1} no se puede eliminar porque tiene amortización u otros movimientos; dele de baja',
  ],
  [
    '{1} cannot be cancelled because the asset {2} rests on it; {3}',
    '{1} no se puede anular porque el activo {2} se basa en ella; {3}',
  ],
  [
    'It cannot be posted because the asset {1} rests on the line; {2}',
    'No se puede contabilizar porque el activo {1} se basa en la línea; {2}',
  ],
  ['undo its disposal first', 'deshaga antes su baja'],
  [
    'lower its cost by the amount, dispose of it, or delete it first',
    'reduzca antes su coste en ese importe, dele de baja o elimínelo',
  ],
  [
    'The official table is that of Spain; make the groups of your country',
    'La tabla oficial es la de España; cree los grupos de su país',
  ],
  ['must be at most {1}, the end of the present month', 'debe ser como máximo el {1}, el final del mes actual'],
  ['Waiting to enter depreciation up to {1}', 'Esperando para contabilizar la amortización hasta el {1}'],
  ['Depreciation up to {1}', 'Amortización hasta el {1}'],
  ['Nothing is left to depreciate up to {1}', 'No queda nada que amortizar hasta el {1}'],
  ['{1}: depreciation of {2} up to {3}', '{1}: amortización de {2} hasta el {3}'],
  [
    'cannot include {1} because no accounting period contains {2}; delete it and enter it with accumulated and depreciatedTo, or generate the periods of that year',
    'no puede incluir {1} porque ningún periodo contable contiene {2}; bórrelo e introdúzcalo con accumulated y depreciatedTo, o genere los periodos de ese año',
  ],
  [
    'Depreciation up to {1} cannot be entered because its period is closed or locked; open it, or {2}',
    'La amortización hasta el {1} no se puede contabilizar porque su periodo está cerrado o bloqueado; ábralo, o {2}',
  ],
  [
    'run it with catchUp, which enters it in the next open one',
    'ejecútela con catchUp, que la contabiliza en el siguiente abierto',
  ],
  ['run it up to a day in an open one', 'ejecútela hasta un día de uno abierto'],
  ['{1} cannot be undone because it is undone already', '{1} no se puede deshacer porque ya está deshecha'],
  [
    '{1} cannot be undone because {2} came later; undo that first',
    '{1} no se puede deshacer porque {2} es posterior; deshágala antes',
  ],
  [
    '{1} cannot be undone because {2} was disposed of; undo the disposal first',
    '{1} no se puede deshacer porque {2} se dio de baja; deshaga antes la baja',
  ],
  ['cannot be given together with percentage', 'no puede darse junto con percentage'],
  ['must be a part of {1}, the cost of the asset', 'debe ser una parte de {1}, el coste del activo'],
];
