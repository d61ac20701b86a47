/** Texts by the demo's users, in the language of their merchant. */

export const noVendNames = { it: 'Orario scolastico', es: 'Horario escolar', en: 'School hours' } as const

export const repairNotes = {
  it: [
    'Sbloccato sul posto',
    'Pulito e riavviato',
    'Sostituito il sensore',
    'Moneta piegata rimossa',
    'Ricollegato il tubo dell’acqua',
  ],
  es: [
    'Se destrabó en sitio',
    'Se limpió y se reinició',
    'Se cambió el sensor',
    'Se retiró una moneda doblada',
    'Se reconectó la manguera del agua',
  ],
  en: ['Cleared on site', 'Cleaned and restarted', 'Sensor replaced', 'Bent coin removed', 'Water hose reconnected'],
} as const

export const machineNotes = {
  it: [
    'La chiave del distributore è in portineria.',
    'Il cliente chiede più caffè ginseng.',
    'Prossima sanificazione concordata per fine mese.',
    'Spostato vicino all’ascensore, la presa è dietro il pannello.',
    'Segnale debole dietro la colonna: valutare antenna esterna.',
    'Referente: signora Lombardi, dalle 8 alle 14.',
  ],
  es: [
    'La llave está en la recepción.',
    'El cliente pide más agua natural.',
    'Próxima limpieza acordada para fin de mes.',
    'Se movió junto al elevador, el contacto está detrás del panel.',
    'Señal débil detrás de la columna: revisar antena externa.',
    'Contacto: señora Robles, de 8 a 14 h.',
  ],
  en: [
    'The key is with the porter.',
    'The customer asks for more sparkling water.',
    'Next cleaning agreed for the end of the month.',
    'Moved beside the lift; the socket is behind the panel.',
    'Weak signal behind the pillar: consider an outdoor antenna.',
    'Contact: Ms Svobodová, 8 am to 2 pm.',
  ],
} as const

/** Notes that explain unusual responses to commands. */
export const behaviourNotes = {
  it: {
    warning: 'Orologio della scheda scarico: i comandi riescono con un avviso.',
    error: 'Scheda in attesa di ricambio: risponde ai comandi con un errore.',
    unsupported: 'Firmware vecchio: i comandi remoti non sono supportati.',
    mute: 'Riceve i comandi ma non risponde mai, da controllare.',
    offline: 'Senza rete per lavori nell’edificio.',
    slow: 'Linea lenta: ai comandi risponde dopo più di un minuto.',
  },
  es: {
    warning: 'Reloj de la tarjeta sin batería: los comandos terminan con un aviso.',
    error: 'Tarjeta en espera de refacción: responde a los comandos con un error.',
    unsupported: 'Firmware antiguo: no admite comandos remotos.',
    mute: 'Recibe los comandos pero nunca responde, hay que revisarla.',
    offline: 'Sin red por obras en el edificio.',
    slow: 'Línea lenta: responde a los comandos después de más de un minuto.',
  },
  en: {
    warning: 'The board’s clock battery is flat: commands end with a warning.',
    error: 'Board is waiting for a spare part: answers commands with an error.',
    unsupported: 'Old firmware: remote commands are not supported.',
    mute: 'Receives commands but never answers; needs checking.',
    offline: 'No network while the building is being renovated.',
    slow: 'Slow line: answers commands after more than a minute.',
  },
} as const
