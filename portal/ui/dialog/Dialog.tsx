import { Modal, type ModalProps } from '@mantine/core'
import { useFocusBack } from './useFocusBack.ts'

/** A dialog that is mounted only while it is open. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  useFocusBack()
  return <Modal opened {...props} />
}
