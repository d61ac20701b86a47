import { UnstyledButton } from '@mantine/core'
import { type ReactElement, type ReactNode, useEffect, useId, useState } from 'react'
import { useIdle } from '#portal/app/useIdle.ts'
import { Place } from '#portal/ui/dialog/Place.tsx'
import { Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'

/** The props a button gives its menu; the menu passes all but the target to its popover. */
export interface MenuProps {
  id: string
  opened: boolean
  onChange: (opened: boolean) => void
  target: ReactElement
}

interface Props {
  /** Of the button. */
  className?: string | undefined
  label: ReactNode
  opens: 'dialog' | 'menu'
  children: (ofButton: MenuProps) => ReactNode
}

/** A button whose menu loads when the page is idle, or at the latest with the first click. The button itself stays, and with it the focus. */
export function LazyMenu({ className, label, opens, children }: Props) {
  const id = useId()
  const isIdle = useIdle()
  const [button, setButton] = useState<HTMLElement | null>(null)
  const [isWanted, setWanted] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const close = () => setWanted(false)
  // A failed preload needs no message.
  const failed = (again: () => void) => isWanted && <PartFailure again={again} close={close} />
  return (
    <>
      <UnstyledButton
        ref={setButton}
        id={id}
        className={className}
        aria-haspopup={opens}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-dropdown` : undefined}
        onClick={() => setWanted((was) => !was)}
      >
        {label}
      </UnstyledButton>
      {button && (isIdle || isWanted) && (
        <Part failed={failed}>
          <MenuOpener isWanted={isWanted} setOpen={setOpen} />
          {children({ id, opened: isOpen, onChange: setWanted, target: <Place of={button} /> })}
        </Part>
      )}
    </>
  )
}

/** Opens the menu once it has loaded and is mounted closed, so that it can return the focus. */
function MenuOpener({ isWanted, setOpen }: { isWanted: boolean; setOpen: (isOpen: boolean) => void }) {
  useEffect(() => setOpen(isWanted), [isWanted, setOpen])
  return null
}
