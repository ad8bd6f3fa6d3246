import WorkerProgram

WorkerProgram.main()
