import type { Machine } from '#contract/machines/machine.ts'

/** The machine that a command is for. */
export type CommandTarget = Pick<Machine, 'id' | 'merchantId' | 'name' | 'connection'>
