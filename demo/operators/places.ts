import type { PosSector } from '#contract/vocabulary/pos-sector.ts'

/** Locations of the demo's machines: real places with approximate coordinates, and positions inside them. */

export const placeKinds = [
  'station',
  'airport',
  'hospital',
  'university',
  'school',
  'office',
  'factory',
  'gym',
  'townHall',
  'mall',
] as const
export type PlaceKind = (typeof placeKinds)[number]

/** The pos sector of each kind of place. */
export const sectorOf = {
  station: 'transport',
  airport: 'transport',
  hospital: 'hospital',
  university: 'university',
  school: 'school',
  office: 'office',
  factory: 'industry',
  gym: 'sport',
  townHall: 'publicOffice',
  mall: 'retail',
} as const satisfies Record<PlaceKind, PosSector>

export type Place = {
  name: string
  kind: PlaceKind
  group: string
  address: string
  latitude: number
  longitude: number
}

const at = (
  group: string,
  kind: PlaceKind,
  name: string,
  address: string,
  latitude: number,
  longitude: number,
): Place => ({ group, kind, name, address, latitude, longitude })

export const italianPlaces: readonly Place[] = [
  at('Lazio', 'station', 'Roma Termini', 'Piazza dei Cinquecento 1, Roma', 41.901, 12.5018),
  at('Lombardia', 'station', 'Milano Centrale', "Piazza Duca d'Aosta 1, Milano", 45.4861, 9.2044),
  at('Emilia-Romagna', 'hospital', "Policlinico Sant'Orsola", 'Via Massarenti 9, Bologna', 44.4926, 11.3626),
  at('Toscana', 'university', 'Campus di Novoli', 'Via delle Pandette 9, Firenze', 43.7905, 11.2237),
  at('Lombardia', 'office', 'Torri Garibaldi', 'Piazza Freud 1, Milano', 45.4845, 9.1875),
  at('Lazio', 'hospital', 'Policlinico Gemelli', 'Largo Gemelli 8, Roma', 41.9318, 12.4299),
  at('Piemonte', 'factory', 'Stabilimento Mirafiori', 'Corso Agnelli 200, Torino', 45.0312, 7.6265),
  at('Campania', 'station', 'Napoli Centrale', 'Piazza Garibaldi, Napoli', 40.8529, 14.2729),
  at('Lombardia', 'hospital', 'Ospedale Niguarda', 'Piazza Ospedale Maggiore 3, Milano', 45.5116, 9.1873),
  at('Emilia-Romagna', 'station', 'Bologna Centrale', 'Piazza Medaglie d’Oro 2, Bologna', 44.5057, 11.3428),
  at('Lazio', 'university', 'La Sapienza', 'Piazzale Aldo Moro 5, Roma', 41.9038, 12.5159),
  at('Piemonte', 'university', 'Politecnico di Torino', 'Corso Duca degli Abruzzi 24, Torino', 45.0624, 7.6624),
  at('Toscana', 'station', 'Firenze Santa Maria Novella', 'Piazza della Stazione, Firenze', 43.7765, 11.2479),
  at('Campania', 'hospital', 'Ospedale Cardarelli', 'Via Cardarelli 9, Napoli', 40.8657, 14.2232),
  at('Lazio', 'office', 'Uffici EUR', 'Viale Europa 190, Roma', 41.8317, 12.4668),
  at('Lombardia', 'university', 'Università Bicocca', "Piazza dell'Ateneo Nuovo 1, Milano", 45.5137, 9.2113),
  at('Emilia-Romagna', 'factory', 'Distretto ceramico', 'Via Radici in Piano 428, Sassuolo', 44.5512, 10.7787),
  at('Piemonte', 'hospital', 'Ospedale Molinette', 'Corso Bramante 88, Torino', 45.0405, 7.6741),
  at('Lazio', 'airport', 'Fiumicino Terminal 1', 'Via dell’Aeroporto 320, Fiumicino', 41.7949, 12.2522),
  at('Toscana', 'hospital', 'Ospedale di Careggi', 'Largo Brambilla 3, Firenze', 43.8078, 11.2478),
  at('Lombardia', 'factory', 'Polo logistico', 'Via Lombardia 20, Pioltello', 45.4962, 9.3344),
  at('Campania', 'university', 'Campus di Fuorigrotta', 'Piazzale Tecchio 80, Napoli', 40.8266, 14.1893),
  at('Emilia-Romagna', 'school', 'Liceo Righi', 'Viale Pepoli 3, Bologna', 44.4919, 11.3291),
  at('Piemonte', 'station', 'Torino Porta Nuova', 'Corso Vittorio Emanuele II 58, Torino', 45.0621, 7.6785),
  at('Lombardia', 'gym', 'Piscina Cozzi', 'Viale Tunisia 35, Milano', 45.478, 9.2003),
  at('Lazio', 'townHall', 'Anagrafe di via Petroselli', 'Via Petroselli 50, Roma', 41.8903, 12.4803),
  at('Toscana', 'factory', 'Polo tessile', 'Via del Lavoro 14, Prato', 43.8616, 11.0734),
  at('Emilia-Romagna', 'gym', 'PalaDozza', 'Piazza Azzarita 8, Bologna', 44.5003, 11.3341),
  at('Campania', 'mall', 'Centro commerciale Le Porte', 'Via Argine 380, Napoli', 40.8583, 14.3236),
  at('Piemonte', 'office', 'Lingotto Uffici', 'Via Nizza 262, Torino', 45.0307, 7.6653),
  at('Lombardia', 'school', 'Liceo Parini', 'Via Goito 4, Milano', 45.4754, 9.1887),
  at('Lazio', 'school', 'Istituto Galilei', 'Via Conte Verde 51, Roma', 41.8937, 12.5082),
]

export const mexicanPlaces: readonly Place[] = [
  at('CDMX Centro', 'station', 'Metro Pantitlán', 'Av. Río Churubusco, Ciudad de México', 19.4154, -99.0723),
  at('Guadalajara', 'hospital', 'Hospital Civil', 'Calle Hospital 278, Guadalajara', 20.6868, -103.3433),
  at('Monterrey', 'university', 'Tec de Monterrey', 'Av. Garza Sada 2501, Monterrey', 25.6514, -100.2895),
  at('CDMX Sur', 'university', 'Ciudad Universitaria', 'Av. Universidad 3000, Ciudad de México', 19.3322, -99.1863),
  at('Puebla', 'factory', 'Planta Cuautlancingo', 'Autopista México-Puebla km 116, Cuautlancingo', 19.1126, -98.2559),
  at('CDMX Centro', 'office', 'Torre Reforma', 'Paseo de la Reforma 483, Ciudad de México', 19.4245, -99.1747),
  at(
    'Guadalajara',
    'airport',
    'Aeropuerto de Guadalajara',
    'Carretera a Chapala km 17.5, Tlajomulco',
    20.5255,
    -103.3076,
  ),
  at('Monterrey', 'factory', 'Parque industrial Apodaca', 'Av. Milenium 5000, Apodaca', 25.7786, -100.1494),
  at(
    'CDMX Sur',
    'hospital',
    'Hospital General Gea González',
    'Calzada de Tlalpan 4800, Ciudad de México',
    19.2915,
    -99.1571,
  ),
  at('CDMX Centro', 'hospital', 'Hospital General de México', 'Dr. Balmis 148, Ciudad de México', 19.4117, -99.1521),
  at('Puebla', 'university', 'Campus BUAP', 'Blvd. Valsequillo, Puebla', 18.9997, -98.2016),
  at('Monterrey', 'station', 'Estación Cuauhtémoc', 'Av. Colón, Monterrey', 25.6862, -100.3171),
  at('Guadalajara', 'office', 'Andares Corporativo', 'Blvd. Puerta de Hierro 4965, Zapopan', 20.7101, -103.4122),
  at('CDMX Sur', 'mall', 'Perisur', 'Anillo Periférico Sur 4690, Ciudad de México', 19.3039, -99.1896),
  at('CDMX Centro', 'townHall', 'Alcaldía Cuauhtémoc', 'Aldama, Ciudad de México', 19.4419, -99.1517),
  at('Monterrey', 'hospital', 'Hospital Universitario', 'Av. Madero, Monterrey', 25.6889, -100.3499),
  at('Guadalajara', 'station', 'Central de autobuses', 'Carretera a Los Altos, Tlaquepaque', 20.6224, -103.2846),
  at('Puebla', 'station', 'CAPU', 'Blvd. Norte 4222, Puebla', 19.0727, -98.2061),
  at('CDMX Sur', 'gym', 'Alberca Olímpica', 'Av. División del Norte 2333, Ciudad de México', 19.3557, -99.1566),
  at('CDMX Centro', 'school', 'Preparatoria 6', 'Corina 3, Ciudad de México', 19.3532, -99.1571),
  at('Monterrey', 'gym', 'Gimnasio Nuevo León', 'Av. Rodríguez, San Nicolás', 25.7231, -100.3128),
]

export const czechPlaces: readonly Place[] = [
  at('Praha', 'station', 'Praha hlavní nádraží', 'Wilsonova 300/8, Praha', 50.0831, 14.4353),
  at('Brno', 'university', 'Masaryk University', 'Žerotínovo náměstí 9, Brno', 49.199, 16.6057),
  at('Praha', 'hospital', 'Motol Hospital', 'V Úvalu 84, Praha', 50.0748, 14.3408),
  at('Ostrava', 'factory', 'Vítkovice works', 'Ruská 2929, Ostrava', 49.8116, 18.2724),
  at('Praha', 'office', 'Pankrác Towers', 'Hvězdova 1716, Praha', 50.0509, 14.4383),
  at('Plzeň', 'factory', 'Borská pole park', 'Univerzitní 1119, Plzeň', 49.7269, 13.3527),
  at('Brno', 'station', 'Brno hlavní nádraží', 'Nádražní 1, Brno', 49.1907, 16.6128),
  at('Praha', 'university', 'Czech Technical University', 'Jugoslávských partyzánů 3, Praha', 50.1032, 14.3906),
  at('Ostrava', 'hospital', 'Ostrava University Hospital', '17. listopadu 1790, Ostrava', 49.8275, 18.1597),
  at('Praha', 'airport', 'Václav Havel Airport', 'Aviatická, Praha', 50.1065, 14.2684),
  at('Brno', 'office', 'Spielberk Office Centre', 'Holandská 1, Brno', 49.1815, 16.6046),
  at('Plzeň', 'station', 'Plzeň hlavní nádraží', 'Nádražní 102, Plzeň', 49.7437, 13.3887),
  at('Praha', 'gym', 'Podolí Swimming Stadium', 'Podolská 74, Praha', 50.0514, 14.4173),
  at('Ostrava', 'university', 'VSB Technical University', '17. listopadu 2172, Ostrava', 49.8316, 18.1606),
  at('Brno', 'hospital', 'Bohunice Hospital', 'Jihlavská 20, Brno', 49.1757, 16.5694),
  at('Praha', 'mall', 'Chodov Centre', 'Roztylská 2321, Praha', 50.0315, 14.4908),
  at('Plzeň', 'school', 'Mikulášské Gymnasium', 'Mikulášské náměstí 23, Plzeň', 49.7402, 13.3862),
]

/** Positions inside a place, in the language of the merchant. */
export const spots: Record<'it' | 'es' | 'en', Record<PlaceKind, readonly string[]>> = {
  it: {
    station: ['atrio', 'binario 3', 'binario 12', 'sala d’attesa', 'sottopasso', 'uscita metro'],
    airport: ['arrivi', 'partenze', 'gate B7', 'area dipendenti'],
    hospital: ['pronto soccorso', 'atrio', 'ambulatori', 'reparto 4', 'sala d’attesa'],
    university: ['biblioteca', 'atrio', 'aula 6', 'aula studio', 'piano 2'],
    school: ['atrio', 'palestra', 'piano 1'],
    office: ['reception', 'piano 3', 'piano 7', 'sala break'],
    factory: ['reparto A', 'mensa', 'spogliatoi', 'magazzino'],
    gym: ['ingresso', 'spogliatoi', 'tribuna'],
    townHall: ['sportelli', 'sala d’attesa', 'piano 2'],
    mall: ['ingresso nord', 'galleria', 'parcheggio'],
  },
  es: {
    station: ['vestíbulo', 'andén 2', 'andén 5', 'sala de espera', 'pasillo'],
    airport: ['llegadas', 'salidas', 'puerta B4', 'empleados'],
    hospital: ['urgencias', 'vestíbulo', 'consulta externa', 'piso 4'],
    university: ['biblioteca', 'edificio A', 'cafetería', 'laboratorios'],
    school: ['entrada', 'patio', 'gimnasio'],
    office: ['recepción', 'piso 12', 'piso 20', 'comedor'],
    factory: ['línea 1', 'comedor', 'vestidores', 'almacén'],
    gym: ['entrada', 'vestidores', 'gradas'],
    townHall: ['ventanillas', 'sala de espera', 'piso 2'],
    mall: ['entrada norte', 'galería', 'estacionamiento'],
  },
  en: {
    station: ['hall', 'platform 1', 'platform 4', 'waiting room', 'metro exit'],
    airport: ['arrivals', 'departures', 'gate C8', 'staff area'],
    hospital: ['emergency', 'main hall', 'outpatients', 'ward 4'],
    university: ['library', 'hall', 'study room', 'building B'],
    school: ['entrance', 'gym', 'floor 1'],
    office: ['reception', 'floor 3', 'floor 9', 'break room'],
    factory: ['hall A', 'canteen', 'changing rooms', 'warehouse'],
    gym: ['entrance', 'changing rooms', 'stand'],
    townHall: ['counters', 'waiting room', 'floor 2'],
    mall: ['north entrance', 'gallery', 'car park'],
  },
}
