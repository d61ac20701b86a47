import { Box, Button, Flex, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** `keep`: the records that would be deleted or cancelled, with their number; `leave`: a setting that would change. */
interface Dismissal {
  how: 'keep' | 'leave' | 'dontSend' | 'dontRefund' | 'edit' | 'staySignedIn'
  count?: number
}

export interface Confirmation {
  title: string
  /** Names the act, its object, and their number. */
  consequence: ReactNode
  /** The act as its button names it: "Delete 3 alarms". */
  confirm: string
  /** The label of the dismissing button. */
  dismiss: Dismissal
  isDanger?: boolean
  /** Between the consequence and the buttons, such as a note's field. */
  children?: ReactNode
  /** The dialog waits for the act and closes on success; on an error it stays open. */
  act: () => Promise<unknown> | unknown
}

/** Confirms an act that cannot be undone. The dismissing button has the focus. */
export function ConfirmDialog({ question, close }: { question: Confirmation | undefined; close: () => void }) {
  const { t } = useTranslation('ui')
  const [isActing, setActing] = useState(false)
  // Keeps its text while it fades out.
  const [last, setLast] = useState(question)
  if (question && question !== last) setLast(question)
  const confirmation = question ?? last
  const act = async () => {
    setActing(true)
    try {
      await confirmation?.act()
      close()
    } catch {
      // The caller shows the error; the dialog stays open.
    } finally {
      setActing(false)
    }
  }
  // The closed dialog stays mounted, so that it can return the focus after it closes.
  return (
    <Modal
      opened={question !== undefined}
      onClose={close}
      title={confirmation?.title}
      size="md"
      closeOnClickOutside={!isActing}
      closeOnEscape={!isActing}
      withCloseButton={false}
    >
      <Box c="dimmed">{confirmation?.consequence}</Box>
      {confirmation?.children && <Box mt="part">{confirmation.children}</Box>}
      <Flex gap="near" wrap="wrap" justify="flex-end" mt="lg">
        <Button
          variant="default"
          data-autofocus={confirmation?.children ? undefined : true}
          disabled={isActing}
          onClick={close}
        >
          {confirmation && t(`dismiss.${confirmation.dismiss.how}`, { count: confirmation.dismiss.count ?? 1 })}
        </Button>
        <Button color={confirmation?.isDanger ? 'crit' : undefined} loading={isActing} onClick={() => void act()}>
          {confirmation?.confirm}
        </Button>
      </Flex>
    </Modal>
  )
}

/** `const { ask, dialog } = useConfirm()`: put `dialog` on the screen, call `ask({...})` to open it. */
export function useConfirm() {
  const [question, ask] = useState<Confirmation>()
  return {
    ask,
    close: () => ask(undefined),
    dialog: <ConfirmDialog question={question} close={() => ask(undefined)} />,
  }
}
