import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './parts.tsx'

/** A question that names what will happen. Both answers say it; Escape is the second. */
export function Confirm({
  title,
  children,
  yes,
  no,
  isBusy,
  isDanger = false,
  onYes,
  onNo,
}: {
  title: string
  children: ReactNode
  yes: string
  no: string
  isBusy: boolean
  isDanger?: boolean
  onYes: () => void
  onNo: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!isBusy) onNo()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <div className="acts">
        <Button look={isDanger ? 'danger' : 'filled'} isBusy={isBusy} onClick={onYes}>
          {yes}
        </Button>
        <Button look="plain" onClick={onNo} disabled={isBusy}>
          {no}
        </Button>
      </div>
    </dialog>
  )
}
