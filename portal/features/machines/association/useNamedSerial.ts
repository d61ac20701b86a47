import { useQuery } from '@tanstack/react-query'
import { Serial } from '#contract/device-protocol.ts'
import { MachineCode, machinePages } from '#contract/key-portal/machine-page.ts'
import { queryOf } from '#portal/app/api.ts'
import { isAddress, namedIn } from './namedIn.ts'

/** The serial that a typed or scanned text means; `isUnknown`: it is the label of a machine that the user does not see. */
export function useNamedSerial(text: string): { serial: string | undefined; isUnknown: boolean; isLooking: boolean } {
  const named = namedIn(text)
  const isCode = MachineCode.safeParse(named).success
  const { data, isError, isLoading } = useQuery({
    ...queryOf(machinePages.findMachineByCode, { params: { code: named ?? '' } }),
    enabled: isCode,
  })
  if (isLoading) return { serial: undefined, isUnknown: false, isLooking: true }
  if (data) return { serial: data.serial, isUnknown: false, isLooking: false }
  // Without an address, the text may be a serial that looks like a code.
  const isUnknown = isCode && isError && isAddress(text)
  const isSerial = !isUnknown && Serial.safeParse(named).success
  return { serial: isSerial ? named : undefined, isUnknown, isLooking: false }
}
