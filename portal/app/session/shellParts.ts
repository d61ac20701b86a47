let load: () => Promise<unknown> = async () => undefined

/** The shell connects what loads its parts that appear at a click; a screen that works without a network loads them ahead. */
export const connectShellParts = (source: typeof load): void => {
  load = source
}

export const loadShellParts = (): Promise<unknown> => load()
