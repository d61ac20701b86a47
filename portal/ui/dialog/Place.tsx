import { type Ref, useImperativeHandle } from 'react'

/** The target of a popover whose button was rendered before it. */
export function Place({ of, ref }: { of: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => of, [of])
  return null
}
