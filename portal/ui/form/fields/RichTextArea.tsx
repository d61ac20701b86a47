import { Input } from '@mantine/core'
import { RichTextEditor } from '@mantine/tiptap'
import '@mantine/tiptap/styles.layer.css'
import { IconPhoto } from '@tabler/icons-react'
import Image from '@tiptap/extension-image'
import { useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fileFault, fileRules } from '#contract/frame/file-rules.ts'
import { cleanRichText, plainText } from '#contract/rules/rich-text.ts'
import { useRuleSentence } from '../useRuleSentence.ts'
import classes from './Fields.module.css'
import { acceptedBy } from './FileBox.tsx'
import { chosenFile } from './FileField.tsx'

interface Props {
  label: string
  value: string
  set: (html: string) => void
  leave: () => void
  isFixed: boolean
  isRequired: boolean
  hasError: boolean
  describedBy: string | undefined
  /** The text's own id, so that a click on the label focuses it. */
  id: string
}

const linkScheme = /^(https?:\/\/|mailto:)/i

const extensions = [
  StarterKit.configure({
    blockquote: false,
    code: false,
    codeBlock: false,
    horizontalRule: false,
    strike: false,
    underline: false,
    heading: { levels: [2, 3] },
    link: {
      openOnClick: false,
      protocols: ['http', 'https', 'mailto'],
      defaultProtocol: 'https',
      isAllowedUri: (url) => linkScheme.test(url),
      HTMLAttributes: { target: null, rel: null, class: null },
    },
  }),
  Image.configure({ allowBase64: true }),
]

/** The editor's content in stored form; an empty paragraph is an empty text. */
const storedOf = (html: string) => {
  const clean = cleanRichText(html)
  return plainText(clean) === '' && !clean.includes('<img') ? '' : clean
}

const dataUrlOf = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })

/** The editor of a value: it follows changes from outside, and pasted content is cleaned. */
function useRichEditor({ label, value, set, leave, isFixed, isRequired, hasError, describedBy, id }: Props) {
  const last = useRef(value)
  const editor = useEditor({
    extensions,
    content: value,
    editable: !isFixed,
    shouldRerenderOnTransaction: true,
    editorProps: {
      attributes: {
        id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-required': String(isRequired),
        'aria-readonly': String(isFixed),
        'aria-invalid': String(hasError),
        ...(describedBy && { 'aria-describedby': describedBy }),
        ...(isFixed && { tabindex: '0' }),
      },
      transformPastedHTML: cleanRichText,
    },
    onUpdate: ({ editor: changed }) => {
      last.current = storedOf(changed.getHTML())
      set(last.current)
    },
    onBlur: leave,
  })
  useEffect(() => {
    editor?.setEditable(!isFixed, false)
  }, [editor, isFixed])
  useEffect(() => {
    // The value changed outside of this editor: loaded, reset, undone.
    if (editor && value !== last.current) {
      last.current = value
      editor.commands.setContent(value, { emitUpdate: false })
    }
  }, [editor, value])
  return editor
}

/** The editor. Pasted content is cleaned on input, and the value on output. */
export default function RichTextArea(props: Props) {
  const { label, isFixed, hasError } = props
  const { t } = useTranslation('form')
  const say = useRuleSentence()
  const [fault, setFault] = useState<string>()
  const picker = useRef<HTMLInputElement>(null)
  const editor = useRichEditor(props)

  const addImage = async (file: File | undefined) => {
    if (!file || !editor) return
    const broken = fileFault(fileRules.richTextImage, await chosenFile(file))
    setFault(broken && say(broken))
    if (broken) return
    const src = await dataUrlOf(file)
    editor
      .chain()
      .focus()
      .setImage({ src, alt: file.name.replace(/\.\w+$/, '') })
      .run()
  }
  return (
    <>
      <RichTextEditor
        editor={editor}
        className={classes.rich}
        data-error={hasError}
        labels={{
          boldControlLabel: t('field.rich.bold'),
          italicControlLabel: t('field.rich.italic'),
          bulletListControlLabel: t('field.rich.bulletList'),
          orderedListControlLabel: t('field.rich.orderedList'),
          linkControlLabel: t('field.rich.link'),
          unlinkControlLabel: t('field.rich.unlink'),
          linkEditorInputLabel: t('field.rich.address'),
          linkEditorInputPlaceholder: 'https://',
          linkEditorSave: t('field.rich.setLink'),
        }}
      >
        {!isFixed && <Toolbar label={label} pickImage={() => picker.current?.click()} />}
        <RichTextEditor.Content className={classes.richContent} />
      </RichTextEditor>
      <input
        ref={picker}
        type="file"
        hidden
        accept={acceptedBy(fileRules.richTextImage)}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          void addImage(file)
          event.currentTarget.value = ''
        }}
      />
      {fault && (
        <Input.Error role="alert" mt={4}>
          {fault}
        </Input.Error>
      )}
    </>
  )
}

function Toolbar({ label, pickImage }: { label: string; pickImage: () => void }) {
  const { t } = useTranslation('form')
  return (
    <RichTextEditor.Toolbar role="toolbar" aria-label={t('field.rich.tools', { name: label })}>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Bold />
        <RichTextEditor.Italic />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.BulletList />
        <RichTextEditor.OrderedList />
      </RichTextEditor.ControlsGroup>
      <RichTextEditor.ControlsGroup>
        <RichTextEditor.Link />
        <RichTextEditor.Unlink />
        <RichTextEditor.Control aria-label={t('field.rich.image')} title={t('field.rich.image')} onClick={pickImage}>
          <IconPhoto size={16} aria-hidden />
        </RichTextEditor.Control>
      </RichTextEditor.ControlsGroup>
    </RichTextEditor.Toolbar>
  )
}
