import { Popover, type PopoverProps, UnstyledButton } from '@mantine/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Place } from './Place.tsx'

interface Props {
  /** Of the button. */
  className?: string | undefined
  label: ReactNode
  isOnPhones?: boolean
  /** Name of the opened content. */
  name: string
  position?: PopoverProps['position']
  padding?: number
  width?: PopoverProps['width']
  /** The content to open; it receives a function that closes it. */
  children: (close: () => void) => ReactNode
}

/**
 * A button that opens a popover. The popover is mounted at the first click: a list has ten such buttons,
 * and ten closed popovers would each be measured before its first rows show.
 */
export function Opener({ className, label, isOnPhones, name, position, padding = 8, width, children }: Props) {
  const id = useId()
  const [button, setButton] = useState<HTMLElement | null>(null)
  const [isAsked, setAsked] = useState(false)
  const [isOpen, setOpen] = useState(false)
  // Mounted closed before it first opens, so that it can return the focus.
  useEffect(() => setOpen(isAsked), [isAsked])
  return (
    <>
      <UnstyledButton
        ref={setButton}
        id={id}
        className={className}
        data-on-phones={isOnPhones || undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-dropdown` : undefined}
        onClick={() => (isAsked ? setOpen((was) => !was) : setAsked(true))}
      >
        {label}
      </UnstyledButton>
      {button && isAsked && (
        <Popover id={id} opened={isOpen} onChange={setOpen} position={position} width={width} trapFocus returnFocus>
          <Popover.Target>
            <Place of={button} />
          </Popover.Target>
          <Popover.Dropdown p={padding} aria-label={name}>
            {children(() => setOpen(false))}
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}
