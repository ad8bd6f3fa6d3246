import Drafts
import WorkerProgram

WorkerProgram.main(settings: DraftRules.settings) { book in
  [PurgeDrafts(DraftRules(book))]
}
