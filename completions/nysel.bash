# bash completion for nysel, made by 'nysel help --completion': do not edit
_nysel() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= value=
    COMPREPLY=()
    if [[ $word == "=" ]]; then word=
    elif [[ $before == "=" ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "train predict test path info demo help --help --version" -- "$word"))
        return
    fi
    case $before in
    --output | -o) return ;;
    --json) return ;;
    --test) return ;;
    --format) words="auto csv libsvm npy " value=1 ;;
    --target) words="" value=1 ;;
    --header) words="auto yes no " value=1 ;;
    --missing) words="auto error drop mean " value=1 ;;
    --categorical) words="" value=1 ;;
    --ignore) words="auto none " value=1 ;;
    --na) words="" value=1 ;;
    --decimal) words="auto " value=1 ;;
    --weight-column) words="" value=1 ;;
    --task) words="auto binary multiclass regression " value=1 ;;
    --machine) words="lssvm krr svm l2svm logistic svr huber quantile " value=1 ;;
    --bias) words="free penalised none " value=1 ;;
    --bias-penalty) words="" value=1 ;;
    --hinge) words="smooth exact " value=1 ;;
    --hinge-width) words="" value=1 ;;
    --epsilon) words="auto " value=1 ;;
    --delta) words="auto " value=1 ;;
    --quantiles) words="" value=1 ;;
    --kernel) words="auto rbf linear poly laplace matern32 matern52 powexp1 powexp15 " value=1 ;;
    --degree) words="" value=1 ;;
    --coef0) words="" value=1 ;;
    --scale) words="standard range none quantile robust log " value=1 ;;
    --multiclass) words="ova ovo moc " value=1 ;;
    --decoding) words="auto hamming loss " value=1 ;;
    --machines-share) words="yes no " value=1 ;;
    --class-weight) words="none balanced " value=1 ;;
    --proba-method) words="auto calibration posterior link " value=1 ;;
    --posterior) words="auto yes no " value=1 ;;
    --prior) words="none uniform " value=1 ;;
    --solver) words="auto direct cg " value=1 ;;
    --solver-tol) words="" value=1 ;;
    --solver-iterations) words="" value=1 ;;
    --landmarks) words="auto grow all " value=1 ;;
    --landmark-method) words="auto rpcholesky cholesky uniform kmeans density entropy " value=1 ;;
    --rank) words="auto " value=1 ;;
    --rank-tol) words="" value=1 ;;
    --rank-floor) words="" value=1 ;;
    --expansion) words="landmarks training active " value=1 ;;
    --criterion) words="auto loo cv gcv evidence evidence-nystrom newton bif fbif holdout span smooth-span radius-margin " value=1 ;;
    --select-on) words="auto mse error " value=1 ;;
    --folds) words="" value=1 ;;
    --fold-file) return ;;
    --validation) return ;;
    --search) words="profile grid csa gradient none " value=1 ;;
    --bandwidth) words="auto zhang " value=1 ;;
    --C) words="auto " value=1 ;;
    --csa-evaluations) words="" value=1 ;;
    --csa-starters) words="" value=1 ;;
    --simplex-evaluations) words="" value=1 ;;
    --effort) words="fast normal " value=1 ;;
    --metric) words="auto none diagonal evidence " value=1 ;;
    --select-threshold) words="" value=1 ;;
    --ard-by) words="evidence loo " value=1 ;;
    --lambda-max) words="" value=1 ;;
    --lambda-min) words="auto " value=1 ;;
    --interval) words="" value=1 ;;
    --outside) words="clip keep " value=1 ;;
    --id) words="" value=1 ;;
    --progress) words="auto always never " value=1 ;;
    --seed) words="" value=1 ;;
    --threads) words="" value=1 ;;
    --block-rows) words="" value=1 ;;
    --memory) words="" value=1 ;;
    --stream) words="auto yes no " value=1 ;;
    --time-limit) words="" value=1 ;;
    --write) return ;;
    --rows) words="" value=1 ;;
    esac
    [[ $value ]] || case ${COMP_WORDS[1]} in
    help) words="exit train predict test path info demo help kernel machine criterion search landmark-method scale multiclass demo " ;;
    demo) [[ $word == -* ]] || words="list banana spirals mixture twonorm ringnorm waveform sinc " ;;
    esac
    [[ $value || $word != -* ]] || case ${COMP_WORDS[1]} in
    train) words="--output --json --test --format --target --header --missing --categorical --ignore --na --decimal --weight-column --task --machine --bias --bias-penalty --hinge --hinge-width --epsilon --delta --quantiles --kernel --degree --coef0 --scale --multiclass --decoding --machines-share --class-weight --proba-method --posterior --prior --solver --solver-tol --solver-iterations --landmarks --landmark-method --rank --rank-tol --rank-floor --expansion --bound --criterion --select-on --compare-criteria --folds --fold-file --validation --search --bandwidth --C --csa-evaluations --csa-starters --simplex-evaluations --effort --metric --ard --select-inputs --select-threshold --ard-by --lambda-min --quiet --progress --seed --threads --block-rows --memory --stream --time-limit --help" ;;
    predict) words="--output --json --format --header --missing --na --decimal --prior --proba --scores --outside-count --interval --outside --id --quiet --progress --threads --block-rows --memory --help" ;;
    test) words="--json --format --target --header --missing --na --decimal --weight-column --prior --interval --outside --quiet --progress --threads --block-rows --memory --help" ;;
    path) words="--output --json --format --target --header --missing --categorical --ignore --na --decimal --weight-column --task --bias --bias-penalty --kernel --degree --coef0 --scale --multiclass --class-weight --landmarks --landmark-method --rank --rank-tol --rank-floor --select-on --validation --search --bandwidth --csa-evaluations --csa-starters --simplex-evaluations --lambda-max --lambda-min --radius-margin --quiet --progress --seed --threads --block-rows --memory --stream --time-limit --help" ;;
    info) words="--json --format --target --header --missing --categorical --ignore --na --decimal --weight-column --task --quiet --memory --help" ;;
    demo) words="--machine --bias --bias-penalty --hinge --hinge-width --epsilon --delta --quantiles --kernel --degree --coef0 --scale --multiclass --decoding --machines-share --class-weight --proba-method --posterior --solver --solver-tol --solver-iterations --landmarks --landmark-method --rank --rank-tol --rank-floor --expansion --bound --criterion --select-on --compare-criteria --folds --validation --search --bandwidth --C --csa-evaluations --csa-starters --simplex-evaluations --effort --metric --ard --select-inputs --select-threshold --ard-by --lambda-min --quiet --progress --seed --threads --block-rows --memory --time-limit --output --json --write --rows --help" ;;
    help) words="--help" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _nysel nysel
