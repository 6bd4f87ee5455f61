/** Provinces of Spain in the order of their codes, with which postal codes begin: 01 to 52. */
const PROVINCES = [
  ...[
    'Álava',
    'Albacete',
    'Alicante',
    'Almería',
    'Ávila',
    'Badajoz',
    'Illes Balears',
    'Barcelona',
    'Burgos',
    'Cáceres',
  ],
  ...['Cádiz', 'Castellón', 'Ciudad Real', 'Córdoba', 'A Coruña', 'Cuenca', 'Girona', 'Granada', 'Guadalajara'],
  ...['Gipuzkoa', 'Huelva', 'Huesca', 'Jaén', 'León', 'Lleida', 'La Rioja', 'Lugo', 'Madrid', 'Málaga', 'Murcia'],
  ...['Navarra', 'Ourense', 'Asturias', 'Palencia', 'Las Palmas', 'Pontevedra', 'Salamanca'],
  ...['Sta. Cruz Tenerife', 'Cantabria', 'Segovia', 'Sevilla', 'Soria', 'Tarragona', 'Teruel', 'Toledo', 'Valencia'],
  ...['Valladolid', 'Bizkaia', 'Zamora', 'Zaragoza', 'Ceuta', 'Melilla'],
];

/** The province of a postal code of five digits; undefined if there is none. */
export function provinceFor(zipCode: string): string | undefined {
  return /^\d{5}$/.test(zipCode) ? PROVINCES[Number(zipCode.slice(0, 2)) - 1] : undefined;
}
