import type { Catalogue } from '../catalogue.ts';

/** Spanish messages about recurring documents. */
export const CONTRACTS: Catalogue = [
  ['It has ended: change its ends_on or count first', 'Ha terminado: cambie antes ends_on o count'],
  ['It is paused: resume it first', 'Está en pausa: reanúdelo antes'],
  ['It was missed', 'Se pasó la fecha'],
  ['It was not sent: {1}', 'No se envió: {1}'],
  ['Its document was made', 'Su documento está hecho'],
  [
    'It cannot be deleted because it has made documents; end it by ends_on, or pause it',
    'No se puede eliminar porque ha creado documentos; termínelo con ends_on o páuselo',
  ],
  ['Only an entry that was made by hand can be taken over', 'Solo se puede tomar un asiento hecho a mano'],
  [
    'The entry cannot be taken over because its lines state taxes or settle something; send a template',
    'El asiento no se puede tomar porque sus líneas indican impuestos o saldan algo; envíe una plantilla',
  ],
  ['is required unless cron is given', 'es obligatorio si no se indica cron'],
  ['is required unless from_document_id is given', 'es obligatorio si no se indica from_document_id'],
  [
    'Reminders are made of no document: send an empty template',
    'Los recordatorios no se hacen de un documento: envíe template vacío',
  ],
  ['Nobody was to be reminded', 'No había nadie a quien reclamar'],
  ['cannot be given together with cron', 'no se puede indicar junto con cron'],
  ['cannot be given together with template', 'no se puede indicar junto con template'],
  ['is allowed only for months and years', 'solo se permite para meses y años'],
  ['must not be before {1}, when it starts', 'no puede ser anterior al {1}, cuando empieza'],
  ['must be {1} for this type', 'debe ser {1} para este tipo'],
  [
    'is allowed only for intervals by unit, whose periods have a length',
    'solo se permite con intervalos por unidad, cuyos periodos tienen una duración',
  ],
  [
    'must begin with 0 0, because documents are made at midnight',
    'debe empezar por 0 0, porque los documentos se crean a medianoche',
  ],
  ['is not allowed for entries, which have amounts', 'no se permite en asientos, que tienen importes'],
  ['is allowed only for fixed prices', 'solo se permite con precios fijos'],
  ['is allowed only with index_percent', 'solo se permite con index_percent'],
  [
    'cannot be accepted because more than {1} documents would be made at once',
    'no se puede aceptar porque se crearían más de {1} documentos de una vez',
  ],
  ['must leave room for a first document', 'debe dejar sitio para un primer documento'],
  [
    'cannot be added because there are already {1} recurring documents; delete some',
    'no se puede añadir porque ya hay {1} documentos periódicos; elimine algunos',
  ],
  ['must be at least {1}, as many as were made', 'debe ser al menos {1}, tantos como se han hecho'],
  [
    'must not be before {1}, up to which documents were made; rectify the last one for an earlier end',
    'no puede ser anterior al {1}, hasta el que se hicieron documentos; rectifique el último para terminar antes',
  ],
  ['is allowed only with a template', 'solo se permite con template'],
  [
    'is allowed only for documents with fixed prices and an interval by unit',
    'solo se permite en documentos con precios fijos y un intervalo por unidad',
  ],
  ['is not allowed before the first document is made', 'no se permite antes de hacer el primer documento'],
  ['must be within the current period, {1} to {2}', 'debe estar en el periodo actual, del {1} al {2}'],
  [
    'cannot be used because lines move goods; only services are charged by days',
    'no se puede usar porque hay líneas que mueven existencias; solo los servicios se cobran por días',
  ],
  ['must name a record of the type {1}', 'debe nombrar un registro del tipo {1}'],
  ['contains {1}, which stands for nothing', 'contiene {1}, que no significa nada'],
  ['Waiting to make recurring documents', 'Esperando para crear documentos periódicos'],
  ['{1} of {2} recurring documents', '{1} de {2} documentos periódicos'],
  ['1 recurring document made', '1 documento periódico hecho'],
  ['{1} recurring documents made', '{1} documentos periódicos hechos'],
  ['{1} skipped', '{1} omitidos'],
  ['{1} failed: see the result', '{1} fallidos: véase el resultado'],
];
